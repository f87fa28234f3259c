import { VERSIONS_READ } from "../../../auth/scopes.ts";
import type { Store } from "../../../store/store.ts";
import { ANYONE, type Route, VISITORS } from "../../create-route.ts";
import { createDocument } from "../../document.ts";
import { toChecked } from "../../reply.ts";
import { toBase, type VersionRouteOptions } from "../version-routes.ts";
import { createTellProblems } from "../told-problems.ts";
import { createApprovalsOperation } from "./approvals.ts";
import { type CallsOptions, createCallsOperations } from "./calls.ts";
import { createFeedbackOperation } from "./feedback.ts";
import { createLimitsOperation, type LimitsOptions } from "./limits.ts";
import type { Operation } from "./operation.ts";
import { createReplaysOperation } from "./replays.ts";
import { createRightsOperations } from "./rights.ts";
import { createSyncOperation } from "./sync.ts";
import { toServiceOpenApi } from "./to-service-openapi.ts";
import { createTokensOperation } from "./tokens.ts";
import { createUsageOperation, type UsageOptions } from "./usage.ts";
import { createVersionGraphOperation } from "./version-graph.ts";

export interface ServiceRouteOptions
  extends VersionRouteOptions, Omit<UsageOptions & CallsOptions & LimitsOptions, "registry" | "store"> {
  readonly store: Store;
}

/** Adds the requests that read what the service knows, and the OpenAPI document that describes them. */
export function addServiceRoutes(route: Route, options: ServiceRouteOptions): void {
  const operations = createOperations(options);
  for (const { path, access, answer } of operations) {
    route("GET", path.replaceAll(/\{(\w+)\}/g, ":$1"), access, answer);
  }
  const document = createDocument("application/json", JSON.stringify(toServiceOpenApi(operations)), "small");
  // Alike in every service of this release, so it tells nothing of this one.
  route("GET", "/openapi.json", ANYONE, () => toChecked(document));
}

function createOperations(options: ServiceRouteOptions): readonly Operation[] {
  const { registry, toPrincipal, publicVersions, publicUrl } = options;
  return [
    ...createRightsOperations(options),
    createVersionGraphOperation({
      ...options,
      tellProblems: createTellProblems(registry, toPrincipal),
      baseOf: (event) => toBase(event, publicUrl),
      access: publicVersions ? VISITORS : VERSIONS_READ,
    }),
    createUsageOperation(options),
    ...createCallsOperations(options),
    createApprovalsOperation(options),
    createFeedbackOperation(options),
    createReplaysOperation(options),
    createLimitsOperation(options),
    createTokensOperation(options),
    createSyncOperation(options),
  ];
}

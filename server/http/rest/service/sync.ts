import { METRICS_READ } from "../../../auth/scopes.ts";
import { defined } from "../../../json/defined.ts";
import type { Registry, RegistryStatus } from "../../../versions/registry/registry-types.ts";
import { toJsonDocument } from "../../document.ts";
import { assertParameters } from "../query-parameters.ts";
import type { Operation } from "./operation.ts";

/** Tags that are named, of those with an alarm and of those that could not be brought here. */
const NAMED_LIMIT = 100;

/** Creates what says how the service keeps in step with its repository. */
export function createSyncOperation({ registry }: { readonly registry: Pick<Registry, "status"> }): Operation {
  return {
    path: "/sync",
    id: "get_sync",
    summary: "How the service keeps in step with its repository: when it was last read, and what could not be",
    access: METRICS_READ,
    schema: "sync",
    answer({ url }) {
      assertParameters(url.searchParams, []);
      return { document: toJsonDocument(toShown(registry.status())) };
    },
  };
}

function toShown(status: RegistryStatus) {
  const { upstream, syncs, lastSuccess, lastFailure, failingSince, versions, unverified, quarantined } = status;
  return {
    upstream,
    syncs,
    ...defined({ last_success: lastSuccess, last_failure: lastFailure, failing_since: failingSince }),
    versions: { served: versions - unverified - quarantined, unverified, quarantined },
    pull_requests: status.pullRequests,
    labels: Object.fromEntries(status.labels),
    label_problems: status.labelProblems.map(({ file, line, column, message, fix }) => {
      return { file, line, column, message, fix };
    }),
    alarms: [...status.alarms].slice(0, NAMED_LIMIT).map(([tag, { kind }]) => ({ tag, kind })),
    missing: [...status.missing].slice(0, NAMED_LIMIT).map(([version, reason]) => ({ version, reason })),
  };
}

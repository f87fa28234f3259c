import { hasScope, VERSIONS_READ } from "../../../auth/scopes.ts";
import type { ToPrincipal } from "../../../auth/to-principal.ts";
import { defined } from "../../../json/defined.ts";
import type { LimitUse } from "../../../kernel/limits/admission.ts";
import type { Kernel } from "../../../kernel/open-kernel.ts";
import { holdsAll } from "../../../principal.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import { part } from "../../create-route.ts";
import { toJsonDocument } from "../../document.ts";
import { versionHeaders } from "../../version-headers.ts";
import type { Operation } from "./operation.ts";

export interface LimitsOptions {
  readonly registry: Pick<Registry, "inspect">;
  readonly toPrincipal: ToPrincipal;
  readonly lookAtLimits: Kernel["lookAtLimits"];
}

/** Creates what says how much a caller may take of a version, and how much of that is used. */
export function createLimitsOperation({ registry, toPrincipal, lookAtLimits }: LimitsOptions): Operation {
  return {
    path: "/agent/{version}/api/limits",
    id: "get_limits",
    summary: "Limits of the caller's calls of a version, and what is used of them",
    access: VERSIONS_READ,
    schema: "limits",
    async answer(event, caller) {
      const resolved = await registry.inspect(part(event, "version"));
      const { version } = resolved;
      const principal = toPrincipal(version, caller);
      const tools = [...version.tools.values()].filter(
        ({ server, requiredCapabilities }) => hasScope(caller, server) && holdsAll(principal, requiredCapabilities),
      );
      const limits = await lookAtLimits(version, tools, principal);
      return {
        document: toJsonDocument({
          version: version.semver,
          commit: version.commit,
          tenant: toShown(limits.tenant),
          actor: toShown(limits.actor),
          tools: Object.entries(limits.tools).map(([name, use]) => ({ name, ...toShown(use) })),
        }),
        headers: versionHeaders(resolved, "/api/limits"),
      };
    },
  };
}

function toShown({ rate, concurrency, dailyCost }: LimitUse) {
  return defined({ rate, concurrency, daily_cost: dailyCost });
}

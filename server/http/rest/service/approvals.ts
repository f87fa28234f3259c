import type { Caller } from "../../../auth/caller.ts";
import { hasScope } from "../../../auth/scopes.ts";
import type { ToPrincipal } from "../../../auth/to-principal.ts";
import { findWaitingRuns } from "../../../capabilities/work/approvals/find-waiting-runs.ts";
import { mayReadCall } from "../../../capabilities/work/approvals/may-read-call.ts";
import { toWaiting } from "../../../capabilities/work/approvals/to-waiting.ts";
import { CALL } from "../../../capabilities/work/approvals/waiting-call.ts";
import { toScope } from "../../../capabilities/state/state.ts";
import { CairnError } from "../../../errors.ts";
import { holdsAll, type Principal } from "../../../principal.ts";
import { tasksOf } from "../../../store/keys.ts";
import type { Key, Store } from "../../../store/store.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import type { Version } from "../../../versions/version.ts";
import { part, SIGNED_IN } from "../../create-route.ts";
import { toJsonDocument } from "../../document.ts";
import type { Operation } from "./operation.ts";

export interface ApprovalsOptions {
  readonly registry: Pick<Registry, "resolve">;
  readonly toPrincipal: ToPrincipal;
  readonly store: Pick<Store, "get" | "scan">;
}

/** Newest tasks of a scope that one request looks at. */
const LOOKED_AT = 1_000;

/** Creates the list of runs and calls that wait for a person, for those who may read the tasks of a version. */
export function createApprovalsOperation({ registry, toPrincipal, store }: ApprovalsOptions): Operation {
  return {
    path: "/agent/{version}/api/approvals",
    id: "list_approvals",
    summary: "Runs and calls of the caller's tenant that wait for a person's decision, the newest first",
    access: SIGNED_IN,
    schema: "approvals",
    async answer(event, caller) {
      const { version } = await registry.resolve(part(event, "version"));
      const principal = toPrincipal(version, caller);
      const found = await Promise.all(
        findScopes(version, caller, principal).map((scope) =>
          findWaitingRuns(store, { prefix: tasksOf(caller.tenant, scope), reverse: true, limit: LOOKED_AT }),
        ),
      );
      const decider = [...version.tools.values()].find(({ uses }) => uses.has("work.approve"))?.name ?? null;
      const desk = { get: async (key: Key) => (await store.get(key))?.value };
      const waiting = await Promise.all(
        found.flat().map(async ({ task, run }) => ({
          ...toWaiting(task, run),
          may_read: await mayReadCall(desk, principal, run, CALL),
        })),
      );
      return { document: toJsonDocument({ waiting, decider }) };
    },
  };
}

/** Finds the scopes whose tasks a caller may read by tools. @throws FORBIDDEN where there is none */
function findScopes(version: Version, caller: Caller, principal: Principal): readonly string[] {
  const readers = [...version.tools.values()].filter(
    ({ uses, server, requiredCapabilities }) =>
      uses.has("work.read") && hasScope(caller, server) && holdsAll(principal, requiredCapabilities),
  );
  if (readers.length > 0) return [...new Set(readers.map((tool) => toScope(version, tool)))];
  throw new CairnError("FORBIDDEN", `You may use no tool of version ${version.semver} that reads tasks.`);
}

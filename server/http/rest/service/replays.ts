import { hasScope, VERSIONS_READ } from "../../../auth/scopes.ts";
import type { ToPrincipal } from "../../../auth/to-principal.ts";
import { type ReplayLine, readReplays } from "../../../resources/read-replays.ts";
import type { Store } from "../../../store/store.ts";
import type { Registry } from "../../../versions/registry/registry-types.ts";
import { toJsonDocument } from "../../document.ts";
import { readIntegerParameter, readRequiredText, readTextParameters } from "../query-parameters.ts";
import { type Operation, toLimitParameter, toTextParameter } from "./operation.ts";

export interface ReplaysOptions {
  readonly registry: Pick<Registry, "inspect">;
  readonly toPrincipal: ToPrincipal;
  readonly store: Pick<Store, "scan">;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** Outcomes in the order of the list: what differs comes first. */
const ORDER: readonly ReplayLine["outcome"][] = ["different", "not_compared", "same"];

/**
 * Creates what says how recorded calls of one version came out with another one, of the caller's tenant. A caller sees tools that
 * it may use, on servers that its credentials are for.
 */
export function createReplaysOperation({ registry, toPrincipal, store }: ReplaysOptions): Operation {
  return {
    path: "/replays",
    id: "get_replays",
    summary: "How recorded calls of one version came out with another one, what differs first",
    access: VERSIONS_READ,
    query: {
      from: { ...toTextParameter("Version whose calls were recorded"), required: true },
      to: { ...toTextParameter("Version that they were replayed with"), required: true },
      limit: toLimitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    },
    schema: "replays",
    async answer({ url }, caller) {
      const search = url.searchParams;
      readTextParameters(search, ["from", "to"], ["limit"]);
      const limit = readIntegerParameter(search, "limit", DEFAULT_LIMIT, [1, MAX_LIMIT]);
      const { version: from } = await registry.inspect(readRequiredText(search, "from"));
      const { version: to } = await registry.inspect(readRequiredText(search, "to"));
      const lines = await readReplays(store, { version: to, principal: toPrincipal(to, caller) });
      const own = lines.filter(({ from: commit, tool }) => {
        const { server } = to.tools.get(tool) ?? from.tools.get(tool) ?? {};
        return commit === from.commit && server !== undefined && hasScope(caller, server);
      });
      const sorted = own.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || b.seq - a.seq);
      const counts = Object.fromEntries(
        ORDER.map((outcome) => [outcome, own.filter((line) => line.outcome === outcome).length]),
      );
      return {
        document: toJsonDocument({
          from: from.commit,
          to: to.commit,
          counts,
          replays: sorted.slice(0, limit).map(({ call_id, tool, outcome, reasons, at }) => {
            return { call_id, tool, outcome, reasons, at };
          }),
          truncated: sorted.length > limit,
        }),
      };
    },
  };
}

import { CairnError } from "../../errors.ts";
import type { LineagePage } from "./api.ts";
import { lineageLog } from "../../store/keys.ts";
import type { Json, Store } from "../../store/store.ts";
import { createMemberCheck } from "../../kernel/arguments.ts";
import { createExportLineage, toExportFolder } from "./export-lineage.ts";
import { readLineage } from "./lineage-log.ts";
import type { RunningCall } from "../../kernel/call.ts";
import { defineSyscalls, toJson } from "../../kernel/dispatch.ts";
import { toScope } from "../state/state.ts";

const PAGE_LIMIT = 1_000;

export interface LineageSyscallOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Folder of the files that handlers write out; absent: they cannot. */
  readonly exports?: string;
}

const appendArguments = createMemberCheck<{ entry: Json }>("lineage.append", ["entry"], { entry: {} });
const readArguments = createMemberCheck<LineagePage>("lineage.read", [], {
  from: { type: "integer", minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  limit: { type: "integer", minimum: 1, maximum: PAGE_LIMIT },
});
const exportArguments = createMemberCheck<{ name: string }>("lineage.export", ["name"], { name: { type: "string" } });

/** `ctx.lineage`: a hash-chained log of one tenant and MCP server, appended to in the call's transaction. */
export function createLineageSyscalls({ store, now, exports }: LineageSyscallOptions) {
  const exportLineage = createExportLineage();
  return defineSyscalls({
    "lineage.append"(call, args) {
      const { entry } = appendArguments(args);
      const at = now();
      call.effects.append(toLog(call), () => ({ at, entry, schemaVersion: 1 }));
      return undefined;
    },
    "lineage.head": async (call) => (await readPage(store, call, { from: -1, limit: 1 }))[0],
    "lineage.read": (call, args) => readPage(store, call, { from: 0, limit: PAGE_LIMIT, ...readArguments(args) }),
    async "lineage.export"(call, args) {
      const { name } = exportArguments(args);
      if (exports === undefined) throw new CairnError("FORBIDDEN", "This service has no export area.");
      const { principal, tool, version } = call;
      const scope = toScope(version, tool);
      const folder = toExportFolder(exports, { tenant: principal.tenant, server: tool.server, scope });
      return toJson(await exportLineage(folder, name, readLineage(store, toLog(call), { from: 0 })));
    },
  });
}

async function readPage(store: Store, call: RunningCall, page: { readonly from: number; readonly limit: number }) {
  const entries: Json[] = [];
  for await (const entry of readLineage(store, toLog(call), page)) entries.push({ ...entry });
  return entries;
}

function toLog({ principal, version, tool }: RunningCall): string {
  return lineageLog(principal.tenant, tool.server, toScope(version, tool));
}

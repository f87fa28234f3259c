import { findStates } from "../../capabilities/state/data/find-states.ts";
import { readCallRecord } from "../../kernel/record.ts";
import { scanCalls } from "../../store/calls/scan-calls.ts";
import type { Store } from "../../store/store.ts";
import { toTime } from "../../text/to-time.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { createProgress } from "../progress.ts";
import { formatTable } from "../table.ts";
import { DATA_OPTION, loadAuditConfig, withStore } from "../with-store.ts";
import { loadStateUses, type StateUse } from "./load-uses.ts";
import { readTenant, STATE_TENANT_OPTION } from "./state-options.ts";

/** Newest calls of a version among which its last write is looked for. */
const CALLS_READ = 10_000;

interface Row {
  readonly server: string;
  readonly scope: string;
  readonly versions: readonly string[];
  readonly keys: number;
  readonly bytes: number;
  readonly lineage: number;
  /** RFC 3339. */
  readonly lastWrite?: string;
}

/** `cairn state list`: what a tenant's data is, how much, and which versions use it. */
export const createStateList: CreateCommand = (context) =>
  createCommand({
    meta: { name: "state list", description: "List the data of a tenant, and the versions that use it" },
    args: { ...STATE_TENANT_OPTION, json: { type: "boolean", description: "Print JSON" }, ...DATA_OPTION },
    async run({ args }) {
      const { environment, out } = context;
      const tenant = readTenant(args.tenant);
      const { data } = loadAuditConfig(environment, args.data);
      const progress = createProgress(context);
      const rows = await withStore({ context, command: "state list", data }, async (store) => {
        const uses = await loadStateUses(context, data);
        const found = await findStates(store, tenant, uses, (keys) => progress(`${keys} keys so far`));
        return Promise.all(
          found.map(async ({ appendedAt = 0, ...state }): Promise<Row> => {
            const own = uses.filter(({ server, scope }) => server === state.server && scope === state.scope);
            const last = Math.max(
              appendedAt,
              ...(await Promise.all(own.map((use) => findLastWrite(store, tenant, use)))),
            );
            const versions = own.map(({ version }) => version);
            return { ...state, versions, ...(last > 0 && { lastWrite: toTime(last) }) };
          }),
        );
      });
      out(args.json === true ? JSON.stringify(rows, undefined, 2) : toText(tenant, rows));
      return EXIT.OK;
    },
  });

/** Finds the last successful call of a tool that may write there: its time in milliseconds since 1970, 0 when no record says so. */
async function findLastWrite(store: Store, tenant: string, { commit, writers }: StateUse): Promise<number> {
  for await (const value of scanCalls(store, { tenant, commit }, { limit: CALLS_READ })) {
    const { tool, outcome, startedAt } = readCallRecord(value);
    if (outcome === "ok" && writers.has(tool)) return startedAt;
  }
  return 0;
}

function toText(tenant: string, rows: readonly Row[]): string {
  if (rows.length === 0) return `Tools keep nothing for \`${tenant}\`.`;
  return formatTable(
    ["STATE", "VERSIONS", "KEYS", "BYTES", "LINEAGE", "LAST WRITE"],
    rows.map(({ server, scope, versions, keys, bytes, lineage, lastWrite }) => [
      `${server}/${scope}`,
      versions.length === 0 ? "none" : versions.join(","),
      String(keys),
      String(bytes),
      String(lineage),
      lastWrite ?? "unknown",
    ]),
  );
}

import { readCallRecord } from "../kernel/record.ts";
import { callsKey, readsKey } from "../store/use-keys.ts";
import { loadTenants } from "../store/load-tenants.ts";
import type { Store } from "../store/store.ts";
import { type AddressKind, readAddress } from "../versions/registry/resolve/read-address.ts";
import { readReadRecord } from "./count-reads.ts";

/** Uses of one tool, or reads of one kind, of a version by one actor, alike in address and client. */
export interface Use {
  readonly tenant: string;
  readonly actor: string;
  readonly version: string;
  readonly commit: string;
  /** Version segment of the address that was used; absent where the record is older than such a note. */
  readonly address?: string;
  readonly kind?: AddressKind;
  /** Name of the client's program, as it says itself. */
  readonly client?: string;
  /** The tool that was called, or the protocol's method of a list or read. */
  readonly tool?: string;
  readonly method?: string;
  readonly calls: number;
  readonly failed: number;
  readonly reads: number;
  /** Milliseconds since 1970. */
  readonly lastUse: number;
}

/**
 * Loads the uses of one commit, or of all, those used last first. Calls by handlers are not counted. Lists and reads are
 * counted since ever: of those, `since` leaves out the ones whose last is older.
 */
export async function loadUsage(store: Store, commit: string | undefined, since: number): Promise<readonly Use[]> {
  const uses = new Map<string, Use>();
  const add = (use: Use) => {
    const { tenant, actor, commit: of, address = "", client = "", tool = "", method = "" } = use;
    const key = JSON.stringify([tenant, actor, of, address, client, tool, method]);
    const { calls = 0, failed = 0, reads = 0, lastUse = 0 } = uses.get(key) ?? {};
    uses.set(key, {
      ...use,
      calls: calls + use.calls,
      failed: failed + use.failed,
      reads: reads + use.reads,
      lastUse: Math.max(lastUse, use.lastUse),
    });
  };
  for (const tenant of await loadTenants(
    store,
    [callsKey(""), readsKey("")].map(([kind]) => String(kind)),
  )) {
    for await (const { value } of store.scan({ prefix: callsKey(tenant, commit) })) {
      const record = readCallRecord(value);
      const { actor, tool, startedAt, outcome, parent, version } = record;
      if (parent !== undefined || startedAt < since) continue;
      const about = { tenant, actor, version, commit: record.commit, ...toWay(record) };
      add({ ...about, tool, calls: 1, failed: outcome === "ok" ? 0 : 1, reads: 0, lastUse: startedAt });
    }
    for await (const { value } of store.scan({ prefix: readsKey(tenant, commit) })) {
      const record = readReadRecord(value);
      const { actor, version, method, count, lastUse } = record;
      if (lastUse < since) continue;
      const about = { tenant, actor, version, commit: record.commit, ...toWay(record) };
      add({ ...about, method, calls: 0, failed: 0, reads: count, lastUse });
    }
  }
  return [...uses.values()].sort((one, other) => other.lastUse - one.lastUse);
}

/** Finds the time of each tenant's last call. */
export function toTenants(uses: readonly Use[]): ReadonlyMap<string, number> {
  const tenants = new Map<string, number>();
  for (const { tenant, calls, lastUse } of uses) {
    if (calls > 0) tenants.set(tenant, Math.max(tenants.get(tenant) ?? 0, lastUse));
  }
  return tenants;
}

function toWay({ address, client }: { readonly address?: string; readonly client?: string }) {
  return { ...(address === undefined ? {} : readAddress(address)), ...(client === undefined ? {} : { client }) };
}

import { isConsole } from "../kernel/origin.ts";
import { readCallRecord } from "../kernel/record.ts";
import { scanCalls } from "../store/calls/scan-calls.ts";
import { callsKey, readsKey } from "../store/use-keys.ts";
import { listElements } from "../store/list-elements.ts";
import { loadTenants } from "../store/load-tenants.ts";
import type { Store } from "../store/store.ts";
import { readReadRecord } from "./count-reads.ts";
import { readSegment } from "../versions/registry/resolve/segment.ts";

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

/** Records to count; absent: of all tenants, of all versions, all of them. */
export interface UsageQuery {
  readonly tenant?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Commit of a version, or its number. */
  readonly version?: string | undefined;
  /** Calls that are looked at, the newest of each version. */
  readonly limit?: number;
}

export interface Usage {
  /** Those used last first. */
  readonly uses: readonly Use[];
  /** True if there are more calls than were looked at. */
  readonly truncated: boolean;
}

/** Calls of a version that are looked at even if there are many versions. */
const LEAST_OF_VERSION = 100;

/**
 * Loads the uses of one version, or of all. Calls by handlers are not counted, and neither is what the console asks
 * for its pages and has its readers try: who looks at a version does not depend on it. Lists and reads are counted since ever: of
 * those, `since` leaves out the ones whose last is older.
 */
export async function loadUsage(store: Pick<Store, "scan">, query: UsageQuery): Promise<Usage> {
  const uses = new Map<string, Use>();
  const kinds = [callsKey(""), readsKey("")].map(([kind]) => String(kind));
  const tenants = query.tenant === undefined ? await loadTenants(store, kinds) : [query.tenant];
  let truncated = false;
  for (const tenant of tenants) {
    const commits = await Array.fromAsync(listElements(store, callsKey(tenant)));
    const most = Math.max(LEAST_OF_VERSION, Math.floor((query.limit ?? Infinity) / Math.max(1, commits.length)));
    for (const commit of commits)
      truncated = (await addCalls(store, { tenant, commit, most }, query, uses)) || truncated;
    for await (const { value } of store.scan({ prefix: readsKey(tenant) })) {
      const record = readReadRecord(value);
      const { actor, version, commit, method, count, lastUse } = record;
      if (isConsole(record.client) || lastUse < query.since || !isOf(query, record)) continue;
      add(uses, {
        tenant,
        actor,
        version,
        commit,
        ...toWay(record),
        method,
        calls: 0,
        failed: 0,
        reads: count,
        lastUse,
      });
    }
  }
  return { uses: [...uses.values()].sort((one, other) => other.lastUse - one.lastUse), truncated };
}

/** Adds the newest calls of a version; true if there are more than `most`. */
async function addCalls(
  store: Pick<Store, "scan">,
  { tenant, commit, most }: { readonly tenant: string; readonly commit: string; readonly most: number },
  query: UsageQuery,
  uses: Map<string, Use>,
): Promise<boolean> {
  let seen = 0;
  for await (const value of scanCalls(store, { tenant, commit })) {
    const record = readCallRecord(value);
    if (!isOf(query, record)) return false;
    if (++seen > most) return true;
    const { actor, tool, startedAt, outcome, parent, version } = record;
    if (parent !== undefined || isConsole(record.client) || startedAt < query.since) continue;
    const about = { tenant, actor, version, commit, ...toWay(record) };
    add(uses, { ...about, tool, calls: 1, failed: outcome === "ok" ? 0 : 1, reads: 0, lastUse: startedAt });
  }
  return false;
}

function isOf(
  { version: wanted }: UsageQuery,
  { commit, version }: { readonly commit: string; readonly version: string },
) {
  return wanted === undefined || wanted === commit || wanted === version;
}

function add(uses: Map<string, Use>, use: Use): void {
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

/** Ways to address a version: a pin never changes its meaning, the others follow what is released. */
type AddressKind = "pin" | "range" | "label" | "dev" | "tool" | "other";

/** Reads the version segment of an address that was used; `tool ...` is of the registry of tools, which has none. */
function readAddress(text: string): { readonly address: string; readonly kind: AddressKind } {
  if (text.startsWith("tool ")) return { address: text, kind: "tool" };
  const segment = readSegment(text);
  switch (segment.kind) {
    case "exact":
      return { address: segment.version.name, kind: "pin" };
    case "commit":
      return { address: segment.prefix, kind: "pin" };
    case "range":
      return { address: decodeURIComponent(text), kind: "range" };
    case "latest":
      return { address: "latest", kind: "range" };
    case "label":
      return { address: segment.label, kind: "label" };
    case "dev":
      return { address: "dev", kind: "dev" };
    case "tag":
    case "nonsense":
      return { address: text, kind: "other" };
  }
}

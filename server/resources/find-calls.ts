import { type AuditFilter, matchesFilter } from "../kernel/audit/query-log.ts";
import { type CallRecord, readCallRecord } from "../kernel/record.ts";
import { scanCalls } from "../store/calls/scan-calls.ts";
import { listElements } from "../store/list-elements.ts";
import type { Store } from "../store/store.ts";
import { callsKey } from "../store/use-keys.ts";
import { SCAN_LIMIT } from "./provider.ts";

export interface CallSearch {
  readonly tenant: string;
  readonly filter: CallFilter;
  /** Says whether the reader may see a call. */
  readonly mayRead: (record: CallRecord) => boolean | Promise<boolean>;
  readonly limit: number;
  /** Id of a call: only older ones. */
  readonly before?: string | undefined;
}

export interface CallFilter extends Omit<AuditFilter, "kind"> {
  /** True: calls that failed, and no others. */
  readonly hasFailed?: boolean;
  /** Part of the message of an error, or of a line of log, in whichever case. */
  readonly text?: string;
}

export interface FoundCalls {
  /** The newest first. */
  readonly calls: readonly CallRecord[];
  /** Id behind which there may be more; absent where there are none. */
  readonly next?: string;
}

/** Calls of one version that are read at once. */
const CHUNK = 50;

/** Finds calls of a tenant with all versions, the newest first. Ids sort by time, so that those of each version are merged by them. */
export async function findCalls(store: Pick<Store, "scan">, search: CallSearch): Promise<FoundCalls> {
  const { tenant, filter, mayRead, limit } = search;
  const sources = await openSources(store, search);
  const calls: CallRecord[] = [];
  let last: string | undefined;
  for (let seen = 0; seen < SCAN_LIMIT; seen += 1) {
    const source = sources.reduce<Source | undefined>(newer, undefined);
    const record = source?.head;
    if (source === undefined || record === undefined || record.startedAt < (filter.since ?? -Infinity))
      return { calls };
    last = record.id;
    await advance(store, tenant, source);
    if (!fits(record, filter) || !(await mayRead(record))) continue;
    calls.push(record);
    if (calls.length === limit) break;
  }
  return last === undefined ? { calls } : { calls, next: last };
}

/** Calls of one version that are not merged yet. */
interface Source {
  readonly commit: string;
  head: CallRecord | undefined;
  readonly read: CallRecord[];
}

/** Opens the versions that the search is about, each with its newest call alone: of most, a page takes no more. */
async function openSources(store: Pick<Store, "scan">, { tenant, filter, before }: CallSearch): Promise<Source[]> {
  const sources: Source[] = [];
  // The next millisecond's first id, and ids of later ones, are behind it.
  const until = filter.until === undefined ? undefined : toFirstId(filter.until);
  const from = [before, until].filter((id) => id !== undefined).toSorted()[0];
  for await (const commit of listElements(store, callsKey(tenant))) {
    const [head] = await readCalls(store, { tenant, commit, before: from, limit: 1 });
    const { version: wanted } = filter;
    if (head === undefined || (wanted !== undefined && wanted !== commit && wanted !== head.version)) continue;
    sources.push({ commit, head, read: [] });
  }
  return sources;
}

async function advance(store: Pick<Store, "scan">, tenant: string, source: Source): Promise<void> {
  const { commit, head, read } = source;
  if (read.length === 0) read.push(...(await readCalls(store, { tenant, commit, before: head?.id, limit: CHUNK })));
  source.head = read.shift();
}

async function readCalls(
  store: Pick<Store, "scan">,
  given: {
    readonly tenant: string;
    readonly commit: string;
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<CallRecord[]> {
  return Array.fromAsync(scanCalls(store, given, given), readCallRecord);
}

function newer(one: Source | undefined, other: Source): Source {
  return one === undefined || (other.head?.id ?? "") > (one.head?.id ?? "") ? other : one;
}

function fits(record: CallRecord, { hasFailed, text, ...filter }: CallFilter): boolean {
  if (hasFailed === true && record.outcome === "ok") return false;
  if (text !== undefined && !says(record, text.toLowerCase())) return false;
  return matchesFilter({ kind: "call", record }, filter);
}

function says({ message = "", logs }: CallRecord, text: string): boolean {
  return [message, ...logs.map((line) => line.message)].some((said) => said.toLowerCase().includes(text));
}

/** Makes the beginning of the ids of one millisecond: UUIDs of version 7 begin with it. */
function toFirstId(time: number): string {
  const digits = Math.max(0, Math.trunc(time)).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

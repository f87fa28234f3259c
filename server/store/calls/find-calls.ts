import { callKey } from "../keys.ts";
import type { Entry, Json, Store } from "../store.ts";
import { findBound, isTimed, lastIdOf, PAGE_SEGMENTS, readSegment, SEGMENT_RECORDS, segmentsOf } from "./segment.ts";

/** The calls of a tenant with one version. */
export interface CallsOf {
  readonly tenant: string;
  readonly commit: string;
}

/** Name of the record of a call, among those of its tenant. */
export interface CallName {
  readonly commit: string;
  readonly id: string;
}

/** The segment that a record is in, as it is stored and by ids. */
export interface Place {
  readonly segment: Entry;
  readonly records: ReadonlyMap<string, Json>;
}

/** Finds the record of a call, be it single or in a segment. */
export async function findCall(
  store: Pick<Store, "get" | "scan">,
  { tenant, commit, id }: CallsOf & CallName,
): Promise<Json | undefined> {
  const single = await store.get(callKey(tenant, commit, id));
  return single === undefined ? findInSegments(store, { tenant, commit, id }) : single.value;
}

/** Finds the record of a call that is not single. */
export async function findInSegments(
  store: Pick<Store, "scan">,
  { id, ...calls }: CallsOf & CallName,
): Promise<Json | undefined> {
  return (await findPlaces(store, calls, [id])).get(id)?.records.get(id);
}

/** Finds records of calls, in the order in which they are named. Each segment is read once. */
export async function findCalls(
  store: Pick<Store, "getMany" | "scan">,
  tenant: string,
  names: readonly CallName[],
): Promise<readonly (Json | undefined)[]> {
  const singles = await store.getMany(names.map(({ commit, id }) => callKey(tenant, commit, id)));
  const others = names.filter((_name, at) => singles[at] === undefined);
  const places = new Map<string, ReadonlyMap<string, Place>>();
  for (const [commit, named] of Map.groupBy(others, (name) => name.commit)) {
    const ids = named.map(({ id }) => id);
    places.set(commit, await findPlaces(store, { tenant, commit }, ids));
  }
  return names.map(({ commit, id }, at) => singles[at]?.value ?? places.get(commit)?.get(id)?.records.get(id));
}

/**
 * Finds the segments that records of one version are in. It goes through segments by their last ids, as long as one of the records may yet
 * come, and passes over those between that have none of them.
 */
export async function findPlaces(
  store: Pick<Store, "scan">,
  { tenant, commit }: CallsOf,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Place>> {
  const prefix = segmentsOf(tenant, commit);
  const places = new Map<string, Place>();
  const wanted = ids.filter(isTimed).toSorted();
  let [at, limit] = [0, Math.min(Math.ceil(wanted.length / SEGMENT_RECORDS), PAGE_SEGMENTS)];
  let last: Entry | undefined;
  for (let first = wanted[at]; first !== undefined; first = wanted[at]) {
    const after = last !== undefined && first <= lastIdOf(last) ? last.key : [...prefix, first];
    let read = 0;
    for await (const segment of store.scan({ prefix, after, limit })) {
      take(segment, wanted, at, places);
      at = passOver(wanted, at, (id) => places.has(id) || lastIdOf(segment) > (findBound(id) ?? ""));
      [last, read] = [segment, read + 1];
    }
    if (read < limit) break;
    limit = Math.min(2 * limit, PAGE_SEGMENTS);
  }
  return places;
}

/** Notes which of the wanted records, from one on, a segment has. */
function take(segment: Entry, wanted: readonly string[], from: number, places: Map<string, Place>): void {
  const last = lastIdOf(segment);
  const end = passOver(wanted, from, (id) => id <= last);
  if (end === from) return;
  const records = readSegment(segment);
  for (const id of wanted.slice(from, end)) if (records.has(id)) places.set(id, { segment, records });
}

/** Finds where texts from one on begin to be others than those to pass over. */
function passOver(texts: readonly string[], from: number, isPassed: (text: string) => boolean): number {
  let at = from;
  for (let text = texts[at]; text !== undefined && isPassed(text); text = texts[at]) at += 1;
  return at;
}

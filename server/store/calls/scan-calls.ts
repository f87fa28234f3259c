import { callsOfVersion } from "../keys.ts";
import type { Entry, Json, Key, Store } from "../store.ts";
import type { CallsOf } from "./find-calls.ts";
import { findBound, lastIdOf, PAGE_SEGMENTS, readSegment, segmentsOf } from "./segment.ts";

export interface CallsScan {
  /** Id of a call, or the beginning of one: only calls before it. */
  readonly before?: string | undefined;
  readonly limit?: number;
}

/** The record of a call, with its id. */
type Row = readonly [id: string, record: Json];

/** Reads the records of a tenant's calls with one version, the newest first; ids sort by time. */
export async function* scanCalls(
  store: Pick<Store, "scan">,
  calls: CallsOf,
  { before, limit = Infinity }: CallsScan = {},
): AsyncGenerator<Json> {
  const sources = [scanSingles(store, calls, before, limit), scanSegments(store, calls, before)] as const;
  let [single, other] = await Promise.all(sources.map(next));
  for (let left = limit; left > 0; left -= 1) {
    const isSingle = other === undefined || (single !== undefined && single[0] > other[0]);
    const row = isSingle ? single : other;
    if (row === undefined) return;
    yield row[1];
    // Whoever has enough waits for no more.
    if (left === 1) return;
    if (isSingle) single = await next(sources[0]);
    else other = await next(sources[1]);
  }
}

async function next(rows: AsyncGenerator<Row>): Promise<Row | undefined> {
  const { done, value } = await rows.next();
  return done === true ? undefined : value;
}

async function* scanSingles(
  store: Pick<Store, "scan">,
  { tenant, commit }: CallsOf,
  before: string | undefined,
  limit: number,
): AsyncGenerator<Row> {
  const prefix = callsOfVersion(tenant, commit);
  // All segments sort behind it.
  const after = before === undefined ? segmentsOf(tenant, commit) : [...prefix, before];
  for await (const { key, value } of store.scan({ prefix, after, reverse: true, limit })) {
    yield [String(key.at(-1)), value];
  }
}

/** Segments overlap, so a record's turn is when all segments are read whose last id may be newer. */
async function* scanSegments(
  store: Pick<Store, "scan">,
  { tenant, commit }: CallsOf,
  before: string | undefined,
): AsyncGenerator<Row> {
  let rows: Row[] = [];
  for await (const segment of readPages(store, segmentsOf(tenant, commit), before)) {
    const own = [...readSegment(segment)].filter(([id]) => before === undefined || id < before);
    rows = [...rows, ...own].sort(([one], [other]) => (one > other ? -1 : 1));
    const older = rows.findIndex(([id]) => id < lastIdOf(segment));
    yield* rows.splice(0, older < 0 ? rows.length : older);
  }
  yield* rows;
}

/** Reads segments that may have records before an id, by their last ids and the newest first. */
async function* readPages(store: Pick<Store, "scan">, prefix: Key, before: string | undefined): AsyncGenerator<Entry> {
  const bound = before === undefined ? undefined : findBound(before);
  let after = bound === undefined ? {} : { after: [...prefix, bound] };
  for (let limit = 1; ; limit = Math.min(2 * limit, PAGE_SEGMENTS)) {
    let read = 0;
    for await (const segment of store.scan({ prefix, reverse: true, limit, ...after })) {
      [after, read] = [{ after: [...segment.key] }, read + 1];
      yield segment;
    }
    if (read < limit) return;
  }
}

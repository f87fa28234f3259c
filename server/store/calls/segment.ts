import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { callsOfVersion } from "../keys.ts";
import type { Entry, Json, Key } from "../store.ts";

/** The record of a call, and as JSON text. */
export interface RecordText {
  readonly record: { readonly tenant: string; readonly commit: string; readonly id: string };
  readonly json: string;
}

/**
 * Milliseconds between the first and the last id of a segment, at most. No index says which segment a record is in: it is one whose last id
 * is not before the record's, and at most so much later. Ids begin with their times, so clocks that differ or go back cannot break this.
 * A longer span would gather few records more, and a look for a record that is in no segment would read more of them.
 */
export const SEGMENT_SPAN_MS = 100;
/** Limits of what is read for one record, and written anew to take one away. */
export const SEGMENT_RECORDS = 64;
export const SEGMENT_CHARACTERS = 64 * 1024;

/** Segments that are read at once, at most. */
export const PAGE_SEGMENTS = 16;

/** UUIDs of version 7. */
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SEGMENTS = "~";
const TIME = /^[0-9a-f]{8}-[0-9a-f]{4}/;

/**
 * Gathers records that are written together into segments: values with several records of one version each, in the order of their ids.
 * Records that have no other near them are in none, and need a value of their own.
 */
export function toSegments<Text extends RecordText>(records: readonly Text[]): readonly (readonly Text[])[] {
  return groupByVersion(records)
    .flatMap(toRuns)
    .filter(({ length }) => length > 1);
}

/** Prefix of the segments of one version. It sorts behind the keys of all records that have values of their own. */
export function segmentsOf(tenant: string, commit: string): Key {
  return [...callsOfVersion(tenant, commit), SEGMENTS];
}

/** Makes the key of a segment with these records: it ends with the last id and the first one. */
export function toSegmentKey(records: readonly RecordText[]): Key {
  const [first, last] = [records[0]?.record, records.at(-1)?.record];
  if (first === undefined || last === undefined) throw new CairnError("INTERNAL_ERROR", "A segment has no records.");
  return [...segmentsOf(first.tenant, first.commit), last.id, first.id];
}

/** Makes the value of a segment of texts that are written already. */
export function toSegmentText(records: readonly RecordText[]): string {
  return `[${records.map(({ json }) => json).join(",")}]`;
}

/** Checks that a record with this id may be in a segment. */
export function isTimed(id: string): boolean {
  return TIMED.test(id);
}

/** Makes what sorts behind the last id of every segment that `id`, or a beginning of one with its time, may be in; of other texts nothing. */
export function findBound(id: string): string | undefined {
  if (!TIME.test(id)) return undefined;
  const digits = (Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + SEGMENT_SPAN_MS)
    .toString(16)
    .padStart(12, "0");
  // No time of twelve digits is later, and neither is any id.
  return digits.length > 12 ? "g" : `${digits.slice(0, 8)}-${digits.slice(8)}-8`;
}

/** Tells the last id of a segment when it was written. */
export function lastIdOf({ key }: Pick<Entry, "key">): string {
  return String(key.at(-2));
}

/**
 * Reads the records of a segment by their ids, in the order of those.
 * @throws INTERNAL_ERROR for what is none: an older or newer Cairn, or a hand in the data folder, may have written something else
 */
export function readSegment(entry: Entry): ReadonlyMap<string, Json> {
  const { key, value } = entry;
  const records = new Map<string, Json>();
  let least = String(key.at(-1));
  for (const record of Array.isArray(value) ? (value as readonly Json[]) : [null]) {
    const id = isObject(record) ? record["id"] : undefined;
    if (typeof id !== "string" || id < least || id > lastIdOf(entry) || records.has(id)) {
      throw new CairnError("INTERNAL_ERROR", `The stored records \`${JSON.stringify(key)}\` cannot be understood.`);
    }
    records.set(id, record);
    least = id;
  }
  return records;
}

function groupByVersion<Text extends RecordText>(records: readonly Text[]): readonly (readonly Text[])[] {
  const tenants = [...Map.groupBy(records, ({ record }) => record.tenant).values()];
  return tenants.flatMap((ofTenant) => [...Map.groupBy(ofTenant, ({ record }) => record.commit).values()]);
}

/** Cuts records of one version into runs that are each near enough and small enough for a segment. */
function toRuns<Text extends RecordText>(records: readonly Text[]): readonly (readonly Text[])[] {
  const runs: Text[][] = [];
  let [bound, characters] = ["", 0];
  for (const text of records.toSorted((one, other) => (one.record.id < other.record.id ? -1 : 1))) {
    const { id } = text.record;
    const run = runs.at(-1);
    characters += text.json.length;
    const isNear = isTimed(id) && id < bound;
    if (run !== undefined && isNear && run.length < SEGMENT_RECORDS && characters <= SEGMENT_CHARACTERS) run.push(text);
    else {
      runs.push([text]);
      bound = isTimed(id) ? (findBound(id) ?? "") : "";
      characters = text.json.length;
    }
  }
  return runs;
}

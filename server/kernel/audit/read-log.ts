import { canonicalJson } from "../../json/canonical-json.ts";
import { findCalls } from "../../store/calls/find-calls.ts";
import { auditLog, eventKey } from "../../store/keys.ts";
import type { Json, Store } from "../../store/store.ts";
import { type AuditEntry, type NamedRecord, readAuditEntry, toTombstone } from "./verify/named-records.ts";

/** Records that are read from the store at once, or as many as one entry names. */
const TOGETHER = 256;

/** From sequence number `from` up to but without `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface AuditedEntry {
  readonly seq: number;
  /** The bytes that the chain and the tree are over. */
  readonly bytes: Uint8Array;
  /** Content of the entry; undefined where another text was written into the log. */
  readonly entry: AuditEntry | undefined;
}

/** A record that an entry names; without a value where it was taken away. */
export interface AuditedRecord extends NamedRecord {
  readonly value: Json | undefined;
}

export async function* readEntries(store: Store, tenant: string, { from, to }: Stretch): AsyncGenerator<AuditedEntry> {
  for await (const { seq, bytes } of store.readLog(auditLog(tenant), { from, limit: Math.max(0, to - from) })) {
    if (seq >= to) return;
    yield { seq, bytes, entry: readAuditEntry(toEntry(bytes)) };
  }
}

/** Reads the log with the records that each entry names, in its order. */
export async function* readWithRecords(
  store: Store,
  tenant: string,
  stretch: Stretch,
): AsyncGenerator<AuditedEntry & { readonly records: readonly AuditedRecord[] }> {
  let [waiting, count]: [AuditedEntry[], number] = [[], 0];
  for await (const entry of readEntries(store, tenant, stretch)) {
    waiting.push(entry);
    count += 1 + namedBy(entry).length;
    if (count < TOGETHER) continue;
    yield* withRecords(waiting);
    [waiting, count] = [[], 0];
  }
  yield* withRecords(waiting);

  async function* withRecords(entries: readonly AuditedEntry[]) {
    const named = entries.map(namedBy);
    const all = named.flat();
    const calls = all.flatMap(({ id, commit }) => (commit === undefined ? [] : [{ id, commit }]));
    const events = all.filter(({ commit }) => commit === undefined);
    const ofCalls = (await findCalls(store, tenant, calls)).values();
    const ofEvents = (await store.getMany(events.map(({ id }) => eventKey(tenant, id)))).values();
    for (const [index, entry] of entries.entries()) {
      const records = (named[index] ?? []).map((record) => ({
        ...record,
        value: record.commit === undefined ? ofEvents.next().value?.value : ofCalls.next().value,
      }));
      yield { ...entry, records };
    }
  }
}

function namedBy({ entry }: AuditedEntry): readonly NamedRecord[] {
  return entry === undefined || entry.kind === "redaction" ? [] : entry.records;
}

/** The line for a record: its canonical JSON, which its digest is of, or what stands for it once it was taken away. */
export function toRecordLine({ id, value }: AuditedRecord): string {
  return value === undefined ? toTombstone(id) : canonicalJson(value);
}

function toEntry(bytes: Uint8Array): unknown {
  const link: { entry?: unknown } = JSON.parse(Buffer.from(bytes).toString());
  return link.entry;
}

import { type CallRecord, toCommit, toWritten } from "../../../../server/kernel/record.ts";
import { toSegments } from "../../../../server/store/calls/segment.ts";
import type { Store } from "../../../../server/store/store.ts";
import { toCallRecord } from "../../kernel/audit/call-record.ts";

export const TENANT = "acme";
export const COMMIT = "c0ffee".padEnd(40, "0");
export const CALLS = { tenant: TENANT, commit: COMMIT };
const START = Date.UTC(2026, 0, 1);

/** An id of version 7, so many milliseconds after a moment. */
export function toId(time: number, count = 0): string {
  const digits = (START + time).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${count.toString(16).padStart(12, "0")}`;
}

/** Records of calls at these times. */
export function toRecords(...times: readonly number[]): readonly CallRecord[] {
  return times.map((time, count) => toCallRecord(TENANT, { id: toId(time, count), commit: COMMIT }));
}

/** Writes records together, as a flush of the journal does. */
export async function write(store: Store, records: readonly CallRecord[]): Promise<void> {
  const all = records.map(toWritten);
  await store.commit(toCommit(all, { segments: toSegments(all) }));
}

/** A store that counts the entries of scans. */
export function countReads(store: Store): { readonly counted: Store; readonly read: () => number } {
  let read = 0;
  const counted: Store = {
    ...store,
    async *scan(options) {
      for await (const entry of store.scan(options)) {
        read += 1;
        yield entry;
      }
    },
  };
  return { counted, read: () => read };
}

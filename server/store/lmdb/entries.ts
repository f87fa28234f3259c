import { CairnError } from "../../errors.ts";
import { describeKey, splitKey } from "../key-codec.ts";
import type { Table, Tables } from "./environment.ts";
import {
  isCallersKey,
  keyOfExpiryRow,
  REV_COUNTER,
  toClaimRow,
  toDueRange,
  toExpiryRow,
  toQueueKey,
} from "./layout.ts";
import { decodeRecord, encodeRecord, type StoredRecord } from "../stored-record.ts";

/** The value of rows that say all in their key. */
export const NOTHING = Buffer.alloc(0);

/** The record under `key`, unless there is none or its time is over. */
export function findEntry(tables: Tables, key: Buffer, now: number): StoredRecord | undefined {
  const record = findRecord(tables, key);
  return record === undefined || isExpired(record, now) ? undefined : record;
}

export function isExpired({ expiresAt }: StoredRecord, now: number): boolean {
  return expiresAt !== 0 && expiresAt <= now;
}

/** The record under `key`, whatever its time. */
export function findRecord(tables: Tables, key: Buffer): StoredRecord | undefined {
  const bytes = tables.entries.get(key);
  return bytes === undefined ? undefined : readRecord(key, bytes);
}

export function readRecord(key: Buffer, bytes: Buffer): StoredRecord {
  const record = decodeRecord(key, bytes);
  if (record !== undefined) return record;
  throw new CairnError("INTERNAL_ERROR", `The stored record \`${describeKey(key)}\` is damaged; restore a backup.`);
}

/** Writes a record and the index rows that belong to it. */
export function putEntry(tables: Tables, key: Buffer, record: StoredRecord): void {
  for (const { table, row } of indexRows(tables, key, findRecord(tables, key))) table.remove(row);
  tables.entries.put(key, encodeRecord(key, record));
  for (const { table, row } of indexRows(tables, key, record)) table.put(row, NOTHING);
}

/** Removes a record, if there is one, and the index rows that belonged to it. */
export function removeEntry(tables: Tables, key: Buffer): void {
  for (const { table, row } of indexRows(tables, key, findRecord(tables, key))) table.remove(row);
  tables.entries.remove(key);
}

/** Checks that workers claim entries of the queue that `key` lies directly under. */
export function isClaimable(tables: Tables, key: Buffer): boolean {
  return isCallersKey(key) && isQueue(tables, splitKey(key).parent);
}

export function isQueue(tables: Tables, queue: Buffer): boolean {
  return tables.entries.get(toQueueKey(queue)) !== undefined;
}

/** Removes up to `limit` records whose time is over; true when none is left. */
export function purgeEntries(tables: Tables, now: number, limit: number): boolean {
  const due = [...tables.expiry.rows({ ...toDueRange(now), limit })];
  for (const row of due) {
    const key = keyOfExpiryRow(row.key);
    const bytes = tables.entries.get(key);
    // A damaged record stays for the check to report; failing here would fail every commit.
    if (bytes !== undefined && decodeRecord(key, bytes) !== undefined) removeEntry(tables, key);
    tables.expiry.remove(row.key);
  }
  return due.length < limit;
}

/** A revision that no entry has ever had, so that a key written again after it was deleted does not repeat one. */
export function nextRev(tables: Tables): number {
  const rev = (findRecord(tables, REV_COUNTER)?.rev ?? 0) + 1;
  const record = { rev, expiresAt: 0, leasedUntil: 0, body: NOTHING };
  tables.entries.put(REV_COUNTER, encodeRecord(REV_COUNTER, record));
  return rev;
}

function indexRows(
  tables: Tables,
  key: Buffer,
  record: StoredRecord | undefined,
): readonly { readonly table: Table; readonly row: Buffer }[] {
  if (record === undefined) return [];
  const rows: { table: Table; row: Buffer }[] = [];
  if (record.expiresAt !== 0) rows.push({ table: tables.expiry, row: toExpiryRow(record.expiresAt, key) });
  if (isClaimable(tables, key)) rows.push({ table: tables.claims, row: toClaimRow(key, record.leasedUntil) });
  return rows;
}

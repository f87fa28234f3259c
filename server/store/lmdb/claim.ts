import { CairnError } from "../../errors.ts";
import { decodeKey, describeKey, splitKey } from "../key-codec.ts";
import { findRecord, isExpired, isQueue, nextRev, NOTHING, putEntry, readRecord, removeEntry } from "./entries.ts";
import type { Row, Tables } from "./environment.ts";
import { keyOfClaimRow, toClaimRanges, toClaimRow, toKeyRange, toQueueKey } from "./layout.ts";
import { encodeRecord, toEntry } from "../stored-record.ts";
import type { Claimed } from "../store.ts";

/** Entries that a claim would have: all of a queue, or the one that lies under `key` in it. */
export interface Wanted {
  readonly queue: Buffer;
  readonly key?: Buffer | undefined;
}

/** Checks that a claim might find something; false without the write lock, which idle workers would fight over. */
export function mayClaim(tables: Tables, wanted: Wanted, now: number): boolean {
  return !isQueue(tables, wanted.queue) || findClaimable(tables, wanted, now, 1).length > 0;
}

/** Within a transaction: leases what is free or ran out. Finds it in the index, whatever the length of the queue. */
export function applyClaim(tables: Tables, wanted: Wanted, leaseMs: number, limit: number, now: number): Claimed[] {
  if (!isQueue(tables, wanted.queue)) openQueue(tables, wanted.queue);
  const claimed: Claimed[] = [];
  let rows = findClaimable(tables, wanted, now, limit);
  // One revision for all: no two of them share a key.
  const rev = rows.length === 0 ? 0 : nextRev(tables);
  while (rows.length > 0) {
    for (const row of rows) {
      const key = keyOfClaimRow(row.key);
      const record = findRecord(tables, key);
      if (record === undefined || !toClaimRow(key, record.leasedUntil).equals(row.key)) {
        const place = describeKey(key);
        throw new CairnError("INTERNAL_ERROR", `The index row for \`${place}\` is damaged; restore a backup.`);
      }
      if (isExpired(record, now)) {
        removeEntry(tables, key);
        continue;
      }
      putEntry(tables, key, { ...record, rev, leasedUntil: now + leaseMs });
      claimed.push({ ...toEntry(decodeKey(key), { ...record, rev }), fence: rev });
    }
    rows = claimed.length < limit ? findClaimable(tables, wanted, now, limit - claimed.length) : [];
  }
  return claimed;
}

function findClaimable(
  tables: Tables,
  { queue, key }: Wanted,
  now: number,
  limit: number,
): readonly Pick<Row, "key">[] {
  if (key !== undefined) {
    const record = findRecord(tables, key);
    return record === undefined || record.leasedUntil > now ? [] : [{ key: toClaimRow(key, record.leasedUntil) }];
  }
  const { ranOut, free } = toClaimRanges(queue, now);
  const rows = [...tables.claims.rows({ ...ranOut, limit })];
  return rows.length === limit ? rows : [...rows, ...tables.claims.rows({ ...free, limit: limit - rows.length })];
}

/** From now on the entries directly under `queue` are indexed; those that it already has are so now, once. */
function openQueue(tables: Tables, queue: Buffer): void {
  const key = toQueueKey(queue);
  tables.entries.put(key, encodeRecord(key, { rev: 0, expiresAt: 0, leasedUntil: 0, body: NOTHING }));
  const rows: Buffer[] = [];
  for (const row of tables.entries.rows(toKeyRange(queue))) {
    const { leasedUntil } = readRecord(row.key, row.value);
    if (splitKey(row.key).parent.equals(queue)) rows.push(toClaimRow(row.key, leasedUntil));
  }
  for (const row of rows) tables.claims.put(row, NOTHING);
}

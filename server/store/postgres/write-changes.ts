import { splitKey } from "../key-codec.ts";
import type { StoredRecord } from "../stored-record.ts";
import type { Query } from "./connection.ts";
import { type Changes, NOT_READ } from "./group-state.ts";
import { STATEMENTS } from "./statements.ts";

/** Bytes of text after which another statement begins: servers have limits, CockroachDB one of 16 MiB. */
const STATEMENT_BYTES = 4 * 1024 * 1024;

/** Sends what a group has changed, without waiting for answers. Keys are in order, so that groups wait for each other in order. */
export function writeChanges(query: Query, changes: Changes, now: number): Promise<unknown>[] {
  return [
    ...writeEntries(query, changes),
    ...writeLogs(query, changes.logs),
    ...writeResults(query, changes.results, now),
  ];
}

/** Row that stands for an absent key until the end of the transaction: a node that makes the row at once waits, and begins anew. */
const PLACEHOLDER: StoredRecord = { rev: 0, expiresAt: 0, leasedUntil: 0, body: NOT_READ };

function writeEntries(query: Query, { entries, absences }: Changes): Promise<unknown>[] {
  const made: Row[] = absences.map((key) => ({ key, record: PLACEHOLDER }));
  const rewritten: Row[] = [];
  const leased: Row[] = [];
  const removed = [...absences];
  for (const { key, before, after } of entries) {
    if (after === undefined) removed.push(key);
    else if (before === undefined) made.push({ key, record: after });
    else (after.body === before.body ? leased : rewritten).push({ key, record: after });
  }
  made.sort((a, b) => Buffer.compare(a.key, b.key));
  const sent = [
    ...inPieces(made).map((rows) =>
      query(STATEMENTS.insertEntries, [
        ...toColumns(rows),
        rows.map(({ key }) => splitKey(key).parent),
        rows.map(({ record }) => record.body.toString()),
      ]),
    ),
    ...inPieces(rewritten).map((rows) =>
      query(STATEMENTS.updateEntries, [...toColumns(rows), rows.map(({ record }) => record.body.toString())]),
    ),
  ];
  if (leased.length > 0) {
    const [keys, revs, , leases] = toColumns(leased);
    sent.push(query(STATEMENTS.updateLeases, [keys, revs, leases]));
  }
  if (removed.length > 0) sent.push(query(STATEMENTS.deleteEntries, [removed]));
  return sent;
}

function writeLogs(query: Query, logs: Changes["logs"]): Promise<unknown>[] {
  const rows = logs.flatMap(({ name, links }) => links.map((link) => ({ name, link, size: link.bytes.length })));
  const heads = logs.flatMap(({ name, isNew, links }) => {
    const head = links.at(-1);
    return head === undefined ? [] : [{ name, isNew, head }];
  });
  const sent = split(rows).map((piece) =>
    query(STATEMENTS.insertLogs, [
      piece.map(({ name }) => name),
      piece.map(({ link }) => link.seq),
      piece.map(({ link }) => Buffer.from(link.hash, "hex")),
      piece.map(({ link }) => link.bytes.toString()),
    ]),
  );
  for (const isNew of [true, false]) {
    const some = heads.filter((head) => head.isNew === isNew).toSorted((a, b) => Buffer.compare(a.name, b.name));
    if (some.length === 0) continue;
    sent.push(
      query(isNew ? STATEMENTS.insertHeads : STATEMENTS.updateHeads, [
        some.map(({ name }) => name),
        some.map(({ head }) => head.seq),
        some.map(({ head }) => Buffer.from(head.hash, "hex")),
      ]),
    );
  }
  return sent;
}

function writeResults(query: Query, results: Changes["results"], now: number): Promise<unknown>[] {
  if (results.length === 0) return [];
  const ids = results.map(({ id }) => id);
  return [
    query(STATEMENTS.deleteIds, [ids, now]),
    query(STATEMENTS.insertIds, [
      ids,
      results.map(({ kept }) => JSON.stringify(kept.result)),
      results.map(({ kept }) => kept.until),
    ]),
  ];
}

interface Row {
  readonly key: Buffer;
  readonly record: StoredRecord;
}

function toColumns(rows: readonly Row[]) {
  return [
    rows.map(({ key }) => key),
    rows.map(({ record }) => record.rev),
    rows.map(({ record }) => record.expiresAt),
    rows.map(({ record }) => record.leasedUntil),
  ] as const;
}

function inPieces(rows: readonly Row[]): Row[][] {
  return split(rows.map((row) => ({ ...row, size: row.key.length + row.record.body.length })));
}

/** Splits rows where their sizes come to more than a statement may have. */
function split<Sized extends { readonly size: number }>(rows: readonly Sized[]): Sized[][] {
  const pieces: Sized[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    if (bytes + row.size > STATEMENT_BYTES) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(row);
    bytes += row.size;
  }
  return pieces;
}

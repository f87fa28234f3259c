import { encodeLogName, integer } from "../commit-plan.ts";
import type { Link } from "../hash-chain.ts";
import { decodeKey, encodeKey, endOfPrefix, FIRST_KEY_BYTE } from "../key-codec.ts";
import { toEntry } from "../stored-record.ts";
import type { Entry, ScanOptions } from "../store.ts";
import type { Answer, Query } from "./connection.ts";
import { MAX_PAGE_BYTES, pages } from "./pages.ts";
import { readBytes, readEntryRow, readLinkRow } from "./rows.ts";
import { STATEMENTS } from "./statements.ts";

/** Reads with statements that may be sent again. */
export type Read = (run: (query: Query) => Promise<Answer>) => Promise<Answer>;

/** Entries whose time is not over, in the order of their keys. */
export async function* scanEntries(
  read: Read,
  { prefix, after, limit = Infinity, reverse = false }: ScanOptions,
  now: () => number,
): AsyncGenerator<Entry> {
  let left = limit === Infinity ? limit : integer("limit", limit, 0);
  if (left === 0) return;
  const bytes = encodeKey(prefix);
  const whole = { start: bytes.length === 0 ? Buffer.of(FIRST_KEY_BYTE) : bytes, end: endOfPrefix(bytes) };
  const range = after === undefined ? whole : behind(encodeKey(after), whole, reverse);
  const statement = reverse ? STATEMENTS.scanReverse : STATEMENTS.scanForward;
  const rows = pages((last, rowLimit) => {
    const { start, end } = last === undefined ? range : behind(readBytes(last["key"]), range, reverse);
    return read((query) => query(statement, [start, end, rowLimit, MAX_PAGE_BYTES]));
  }, left);
  for await (const row of rows) {
    const { key, ...record } = readEntryRow(row);
    if (record.expiresAt !== 0 && record.expiresAt <= now()) continue;
    yield toEntry(decodeKey(key), record);
    // Before anyone looks for more.
    if (--left === 0) return;
  }
}

/** Links of a log from sequence number `from` on; a negative one counts from the end. */
export async function* scanLog(
  read: Read,
  log: string,
  { from, limit = Infinity }: { readonly from: number; readonly limit?: number },
): AsyncGenerator<Link> {
  const name = encodeLogName(log);
  integer("from", from, -Number.MAX_SAFE_INTEGER);
  let left = limit === Infinity ? limit : integer("limit", limit, 0);
  const head = from < 0 ? await findHead(read, name) : undefined;
  const first = from < 0 ? Math.max(0, (head?.seq ?? 0) + 1 + from) : from;
  const rows = pages((last, rowLimit) => {
    const next = last === undefined ? first : Number(last["seq"]) + 1;
    return read((query) => query(STATEMENTS.scanLog, [name, next, rowLimit, MAX_PAGE_BYTES]));
  }, left);
  for await (const row of rows) {
    if (left-- <= 0) return;
    yield readLinkRow(row);
  }
}

/** The newest link of the log with this encoded name. */
export async function findHead(read: Read, name: Buffer): Promise<Link | undefined> {
  const { rows } = await read((query) => query(STATEMENTS.headOfLog, [name]));
  return rows[0] && readLinkRow(rows[0]);
}

function behind(after: Buffer, { start, end }: { start: Buffer; end: Buffer }, reverse: boolean) {
  if (reverse) return { start, end: Buffer.compare(after, end) < 0 ? after : end };
  const next = Buffer.concat([after, Buffer.of(0)]);
  return { start: Buffer.compare(next, start) > 0 ? next : start, end };
}

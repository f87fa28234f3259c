import { integer } from "../commit-plan.ts";
import { type Link, toLink } from "../hash-chain.ts";
import { decodeKey, encodeNumber } from "../key-codec.ts";
import { readRecord } from "./entries.ts";
import type { Environment, Row, Seen, Tables } from "./environment.ts";
import { toKeyRange } from "./layout.ts";
import { pages } from "./pages.ts";
import { encodeRecord } from "../stored-record.ts";

/** The newest entry of the log with this encoded name. */
export function findHead(tables: Tables, log: Buffer): Link | undefined {
  for (const row of tables.logs.rows({ ...toKeyRange(log), reverse: true, limit: 1 })) return readLogRow(row);
  return undefined;
}

/** `entry` is canonical JSON. */
export function appendToLog(tables: Tables, { heads }: Seen, log: Buffer, entry: string): Link {
  const name = log.toString("latin1");
  const link = toLink(heads.get(name) ?? findHead(tables, log), entry);
  putLink(tables, log, link);
  heads.set(name, link);
  return link;
}

/** Writes a link as it is, behind those that the log has. */
export function putLink(tables: Tables, log: Buffer, link: Link): void {
  const key = toLogKey(log, link.seq);
  const body = Buffer.concat([Buffer.from(link.hash, "hex"), link.bytes]);
  tables.logs.put(key, encodeRecord(key, { rev: 0, expiresAt: 0, leasedUntil: 0, body }));
}

/** Links from sequence number `from` on; a negative one counts from the end. */
export async function* scanLog(
  environment: Environment,
  log: Buffer,
  { from, limit = Infinity }: { readonly from: number; readonly limit?: number },
): AsyncGenerator<Link> {
  integer("from", from, -Number.MAX_SAFE_INTEGER);
  let left = limit === Infinity ? limit : integer("limit", limit, 0);
  const head = from < 0 ? environment.snapshot(() => findHead(environment.tables, log)) : undefined;
  const first = from < 0 ? Math.max(0, (head?.seq ?? 0) + 1 + from) : from;
  const range = { start: toLogKey(log, first), end: toKeyRange(log).end };
  for await (const page of pages(environment, "logs", range, readLogRow, left)) {
    for (const link of page) {
      if (left-- <= 0) return;
      yield link;
    }
  }
}

export function readLogRow({ key, value }: Row): Link {
  const { body } = readRecord(key, value);
  const seq = Number(decodeKey(key)[1]);
  return { seq, hash: body.toString("hex", 0, HASH_BYTES), bytes: body.subarray(HASH_BYTES) };
}

const HASH_BYTES = 32;

function toLogKey(log: Buffer, seq: number): Buffer {
  return Buffer.concat([log, encodeNumber(seq)]);
}

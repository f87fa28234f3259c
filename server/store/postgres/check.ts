import { CairnError } from "../../errors.ts";
import { findBreak, type Link } from "../hash-chain.ts";
import { decodeKey, describeKey, endOfPrefix, splitKey } from "../key-codec.ts";
import { readValue } from "../stored-record.ts";
import { MAX_PAGE_BYTES, pages } from "./pages.ts";
import { readBytes, readEntryRow, readHeadRow, readLinkRow } from "./rows.ts";
import type { Read } from "./scan.ts";
import { REVS_PER_GROUP, STATEMENTS } from "./statements.ts";

/** A ruined table has a finding for every row; this many say enough. */
const MAX_FINDINGS = 1_000;
const PAGE_ROWS = 500;

/** Reads everything, page by page beside the normal work, and says what is wrong with it. Flipped bits are for the server to find. */
export async function checkTables(read: Read): Promise<readonly string[]> {
  const findings: string[] = [];
  for await (const finding of findAll(read)) {
    findings.push(finding);
    if (findings.length === MAX_FINDINGS) break;
  }
  return findings;
}

async function* findAll(read: Read): AsyncGenerator<string> {
  yield* checkEntries(read);
  for (let after: Buffer = Buffer.alloc(0), more = true; more;) {
    const { rows } = await read((query) => query(STATEMENTS.listHeads, [after, PAGE_ROWS]));
    for (const row of rows) {
      const head = readHeadRow(row);
      for await (const finding of checkLog(read, head)) yield `logs: \`${describeKey(head.name)}\` ${finding}`;
      after = head.name;
    }
    more = rows.length === PAGE_ROWS;
  }
}

async function* checkEntries(read: Read): AsyncGenerator<string> {
  const { rows: revs } = await read((query) => query(STATEMENTS.lastRev));
  const start = Buffer.of(0);
  const end = endOfPrefix(Buffer.alloc(0));
  const rows = pages((last, limit) => {
    const from = last === undefined ? start : Buffer.concat([readBytes(last["key"]), Buffer.of(0)]);
    return read((query) => query(STATEMENTS.scanForward, [from, end, limit, MAX_PAGE_BYTES]));
  });
  let newest = Number(revs[0]?.["rev"]) + REVS_PER_GROUP;
  for await (const row of rows) {
    let finding = checkEntry(row, newest);
    if (finding === LATER) {
      // A commit beside this may have taken it since.
      const { rows: now } = await read((query) => query(STATEMENTS.lastRev));
      newest = Number(now[0]?.["rev"]) + REVS_PER_GROUP;
      finding = checkEntry(row, newest);
    }
    if (finding !== undefined) yield `entries: \`${describeKey(readBytes(row["key"]))}\` ${finding}`;
  }
}

const LATER = "has a revision that was never given";

function checkEntry(row: Readonly<Record<string, unknown>>, newest: number): string | undefined {
  try {
    const { key, ...record } = readEntryRow(row);
    if (record.rev >= newest) return LATER;
    decodeKey(key);
    if (!splitKey(key).parent.equals(readBytes(row["parent"]))) return "could not be claimed";
    readValue(record);
    return undefined;
  } catch (error) {
    if (error instanceof CairnError || error instanceof SyntaxError) return "is damaged";
    throw error;
  }
}

async function* checkLog(
  read: Read,
  { name, ...head }: { readonly name: Buffer; readonly seq: number; readonly hash: string },
): AsyncGenerator<string> {
  let last: Link | undefined;
  const rows = pages((row, limit) => {
    const next = row === undefined ? 0 : Number(row["seq"]) + 1;
    return read((query) => query(STATEMENTS.scanLog, [name, next, limit, MAX_PAGE_BYTES]));
  });
  let isHeadFound = false;
  for await (const row of rows) {
    const link = readLinkRow(row);
    const finding = findBreak(last, link);
    if (finding !== undefined) yield `${link.seq}: ${finding}`;
    isHeadFound ||= link.seq === head.seq && link.hash === head.hash;
    last = link;
  }
  if (!isHeadFound) yield `does not have its newest entry, ${head.seq}`;
}

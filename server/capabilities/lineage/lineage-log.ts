import { CairnError } from "../../errors.ts";
import type { LineageEntry } from "./api.ts";
import { findBreak, type Link } from "../../store/hash-chain.ts";
import { readLogEntry } from "../../store/log-entry.ts";
import type { Json, LogEntry, Store } from "../../store/store.ts";
import { createRecordReader } from "../../json/stored.ts";

/** An entry as a log keeps it. */
export interface LineageRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Entry of the handler. */
  readonly entry: Json;
  readonly schemaVersion: 1;
}

const readLineageRecord = createRecordReader<LineageRecord>("lineage-record");

/**
 * At most `limit` entries of a lineage from number `from` on (negative: from the end), each verified against its own
 * hash and its predecessor's; INVARIANT_VIOLATION at the first that does not fit.
 */
export async function* readLineage(
  store: Store,
  log: string,
  { from, limit = Infinity }: { readonly from: number; readonly limit?: number },
): AsyncGenerator<LineageEntry<Json>> {
  const first = from < 0 ? Math.max(0, ((await store.head(log))?.seq ?? 0) + 1 + from) : from;
  let before: Link | undefined;
  const range = first === 0 ? { from: 0, limit } : { from: first - 1, limit: limit + 1 };
  for await (const stored of store.readLog(log, range)) {
    const link = toLink(stored);
    // The one in front of the page is there for its hash alone, which the next entry names.
    if (link.seq >= first) {
      const problem = findBreak(before, link);
      if (problem !== undefined) {
        throw new CairnError("INVARIANT_VIOLATION", `The lineage is broken at entry ${link.seq}: ${problem}.`);
      }
      yield toEntry(link);
    }
    before = link;
  }
}

function toLink({ seq, bytes, hash }: LogEntry): Link {
  return { seq, hash, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function toEntry({ seq, bytes, hash }: Link): LineageEntry<Json> {
  const { at, entry } = readLineageRecord(readLogEntry(bytes));
  return { seq, checksum: hash, at, entry };
}

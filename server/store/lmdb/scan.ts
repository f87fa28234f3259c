import { integer } from "../commit-plan.ts";
import { decodeKey, encodeKey } from "../key-codec.ts";
import { isExpired, readRecord } from "./entries.ts";
import type { Environment } from "./environment.ts";
import { toKeyRange } from "./layout.ts";
import { pages } from "./pages.ts";
import { toEntry } from "../stored-record.ts";
import type { Entry, ScanOptions } from "../store.ts";

export async function* scanEntries(
  environment: Environment,
  { prefix, after, limit = Infinity, reverse = false }: ScanOptions,
  now: () => number,
): AsyncGenerator<Entry> {
  let left = limit === Infinity ? limit : integer("limit", limit, 0);
  if (left === 0) return;
  const whole = toKeyRange(encodeKey(prefix));
  const range = after === undefined ? whole : behind(encodeKey(after), whole, reverse);
  const visit = ({ key, value }: { key: Buffer; value: Buffer }) => {
    const record = readRecord(key, value);
    return isExpired(record, now()) ? undefined : toEntry(decodeKey(key), record);
  };
  for await (const page of pages(environment, "entries", { ...range, reverse }, visit, left)) {
    for (const entry of page) {
      if (entry === undefined) continue;
      yield entry;
      // Before anyone looks for more.
      if (--left === 0) return;
    }
  }
}

function behind(after: Buffer, { start, end }: { start: Buffer; end: Buffer }, reverse: boolean) {
  if (reverse) return { start, end: Buffer.compare(after, end) < 0 ? after : end };
  const next = Buffer.concat([after, Buffer.of(0)]);
  return { start: Buffer.compare(next, start) > 0 ? next : start, end };
}

import { setImmediate } from "node:timers/promises";
import type { Environment, Range, Row, Tables } from "./environment.ts";

const FIRST_PAGE_ROWS = 32;
const MAX_PAGE_ROWS = 512;
const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * A range in pages, each from a snapshot of its own: a reader that kept one open while its caller takes its time would
 * keep LMDB from reusing any page freed since, and its file growing. `visit` runs within the snapshot of its row.
 * Who wants only a few rows gets a first page of so many.
 */
export async function* pages<Item>(
  environment: Environment,
  table: keyof Tables,
  { start, end, reverse = false }: Omit<Range, "limit">,
  visit: (row: Row) => Item,
  wanted = Infinity,
): AsyncGenerator<readonly Item[]> {
  let range = { start, end, reverse };
  for (let limit = Math.max(1, Math.min(wanted, FIRST_PAGE_ROWS)); ; limit = Math.min(limit * 2, MAX_PAGE_ROWS)) {
    const { items, next } = environment.snapshot(() => {
      const found: Item[] = [];
      let last: Buffer | undefined;
      let bytes = 0;
      for (const row of environment.tables[table].rows({ ...range, limit })) {
        found.push(visit(row));
        last = row.key;
        bytes += row.value.length;
        if (bytes >= MAX_PAGE_BYTES) break;
      }
      return { items: found, next: bytes >= MAX_PAGE_BYTES || found.length === limit ? last : undefined };
    });
    yield items;
    if (next === undefined) return;
    range = reverse ? { ...range, end: next } : { ...range, start: Buffer.concat([next, Buffer.of(0)]) };
    // A long range must leave room for others' work between its pages.
    await setImmediate();
  }
}

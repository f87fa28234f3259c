import { endOfPrefix } from "../key-codec.ts";
import type { ImageItem } from "../store-image.ts";
import { MAX_PAGE_BYTES, pages } from "./pages.ts";
import { readBytes, readEntryRow, readHeadRow, readLinkRow, readResultRow } from "./rows.ts";
import type { Read } from "./scan.ts";
import { REVS_PER_GROUP, STATEMENTS } from "./statements.ts";

const PAGE_ROWS = 500;

/** Loads a revision that is at least that of every entry there has been. */
export async function loadLastRev(read: Read): Promise<number> {
  const { rows } = await read((query) => query(STATEMENTS.lastRev));
  return Number(rows[0]?.["rev"]) + REVS_PER_GROUP;
}

/** Lists everything that the tables hold, also what its time is over. */
export async function* listItems(read: Read): AsyncGenerator<ImageItem> {
  const end = endOfPrefix(Buffer.alloc(0));
  const entries = pages((last, limit) => {
    const start = last === undefined ? Buffer.of(0) : Buffer.concat([readBytes(last["key"]), Buffer.of(0)]);
    return read((query) => query(STATEMENTS.scanForward, [start, end, limit, MAX_PAGE_BYTES]));
  });
  for await (const row of entries) {
    const { key, ...record } = readEntryRow(row);
    yield { kind: "entry", key, record };
  }
  for await (const { name: log } of listRows(read, "listHeads", "name", readHeadRow)) {
    const links = pages((last, limit) => {
      const next = last === undefined ? 0 : Number(last["seq"]) + 1;
      return read((query) => query(STATEMENTS.scanLog, [log, next, limit, MAX_PAGE_BYTES]));
    });
    for await (const row of links) yield { kind: "link", log, link: readLinkRow(row) };
  }
  for await (const { id, result, until } of listRows(read, "listIds", "id", readResultRow)) {
    yield { kind: "result", id, result, until };
  }
}

async function* listRows<Item>(
  read: Read,
  name: "listHeads" | "listIds",
  column: string,
  toItem: (row: Readonly<Record<string, unknown>>) => Item,
): AsyncGenerator<Item> {
  for (let after: unknown = Buffer.alloc(0), more = true; more;) {
    const { rows } = await read((query) => query(STATEMENTS[name], [after, PAGE_ROWS]));
    for (const row of rows) yield toItem(row);
    after = rows.at(-1)?.[column];
    more = rows.length === PAGE_ROWS;
  }
}

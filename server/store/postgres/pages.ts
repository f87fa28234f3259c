import type { Answer } from "./connection.ts";

const FIRST_PAGE_ROWS = 32;
const MAX_PAGE_ROWS = 512;
export const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * A range in pages, each of one moment of its own. `read` reads up to `limit` rows behind `last`, fewer where they are large.
 * Who wants only a few rows gets a first page of so many.
 */
export async function* pages(
  read: (last: Answer["rows"][number] | undefined, limit: number) => Promise<Answer>,
  wanted = Infinity,
): AsyncGenerator<Answer["rows"][number]> {
  let last: Answer["rows"][number] | undefined;
  for (let limit = Math.max(1, Math.min(wanted, FIRST_PAGE_ROWS)); ; limit = Math.min(limit * 2, MAX_PAGE_ROWS)) {
    const { rows } = await read(last, limit);
    yield* rows;
    last = rows.at(-1);
    // Rows that would make the page too large are found and not in it.
    if (last === undefined || (rows.length < limit && Number(last["found"]) === rows.length)) return;
  }
}

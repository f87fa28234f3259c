import { CairnError } from "../errors.ts";
import { type Params, type Serialised, serialise } from "./json-rpc.ts";

/** Items of one page of a list. */
export const PAGE_SIZE = 500;

/** Answers a list request; the pages of a list that never changes are serialised once. */
export function createPages(property: string, items: readonly unknown[]): (params: Params) => Serialised {
  const pages = new Map<number, Serialised>();
  return ({ cursor }) => {
    const start = cursor === undefined ? 0 : readCursor(cursor, items.length);
    let page = pages.get(start);
    if (!page) {
      const end = start + PAGE_SIZE;
      page = serialise({
        [property]: items.slice(start, end),
        ...(end < items.length ? { nextCursor: writeCursor(end) } : {}),
      });
      pages.set(start, page);
    }
    return page;
  };
}

function writeCursor(start: number): string {
  return Buffer.from(`from:${start}`).toString("base64url");
}

function readCursor(cursor: unknown, length: number): number {
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString() : "";
  const start = Number(/^from:(\d+)$/.exec(text)?.[1] ?? Number.NaN);
  if (start > 0 && start < length && start % PAGE_SIZE === 0) return start;
  throw new CairnError("BAD_REQUEST", "`cursor` must be a `nextCursor` that an earlier page of this list gave.");
}

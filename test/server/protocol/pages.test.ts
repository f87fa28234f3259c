import { describe, expect, test } from "vitest";
import { writeResult } from "../../../server/protocol/json-rpc.ts";
import { createPages, PAGE_SIZE } from "../../../server/protocol/pages.ts";

const read = (page: unknown) =>
  (JSON.parse(writeResult(1, page)) as { result: { items: number[]; nextCursor?: string } }).result;

describe("createPages", () => {
  test("walks through everything, once, in order", () => {
    const items = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => index);
    const list = createPages("items", items);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = read(list(cursor === undefined ? {} : { cursor }));
      expect(page.items.length).toBeLessThanOrEqual(PAGE_SIZE);
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(items);
  });

  test("has no next page when everything fits", () => {
    expect(read(createPages("items", [1, 2])({}))).toEqual({ items: [1, 2] });
    expect(read(createPages("items", [])({}))).toEqual({ items: [] });
  });

  test.each(["", "nonsense", 7, null, "ZnJvbToxMDAwMA", "ZnJvbTox"])("refuses the cursor %j", (cursor) => {
    const items = Array.from({ length: PAGE_SIZE + 1 }, (_, index) => index);
    expect(() => createPages("items", items)({ cursor })).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });
});

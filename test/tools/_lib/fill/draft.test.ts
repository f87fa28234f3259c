import { describe, expect, test } from "vitest";
import { erase, GONE, isOpen, take } from "../../../../tools/_lib/fill/draft.ts";
import { createField, draftOf } from "../../fields.ts";

const count = createField({ type: "integer" }, "count");

describe("a draft", () => {
  test("takes a value that fits and forgets its words", () => {
    const filled = take(draftOf("give me 3 now"), count, { start: 8, end: 9, value: 3 });
    expect(filled).toEqual({ values: { count: 3 }, rest: `give me ${GONE} now` });
    expect([isOpen(draftOf(""), count), isOpen(filled, count)]).toEqual([true, false]);
  });

  test("does not take one that does not fit", () => {
    const draft = draftOf("give me 3");
    expect(take(draft, count, { start: 8, end: 9, value: "3" })).toBe(draft);
    expect(take(draft, count, undefined)).toBe(draft);
  });

  test("keeps the length of the text", () => {
    expect(erase("abcdef", { start: 1, end: 4 })).toHaveLength(6);
  });
});

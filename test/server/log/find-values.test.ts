import fc from "fast-check";
import { expect, test } from "vitest";
import { createFindValues } from "../../../server/log/find-values.ts";
import { expectQuick } from "../../helpers/expect-quick.ts";

const longestFirst = (values: readonly string[]) => [...new Set(values)].toSorted((a, b) => b.length - a.length);

test("all values that occur in a text are found, the longest first", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 300 }), word, (words, text) => {
      const values = longestFirst(words);
      const found = createFindValues(values)(text);
      const occurring = values.filter((value) => text.includes(value));
      expect(found.filter((value) => text.includes(value)).toSorted()).toEqual(
        expect.arrayContaining(occurring.toSorted()),
      );
      expect(found.map(({ length }) => length)).toEqual(found.map(({ length }) => length).toSorted((a, b) => b - a));
    }),
  );
});

test("of many values, a short text is only searched for those that occur in it", () => {
  const values = Array.from({ length: 1_000 }, (_, at) => `secret-${at + 1_000}`);
  expect(createFindValues(values)("secret-1234 secret-1234")).toEqual(["secret-1234"]);
});

test("tens of thousands of values are looked for in as many texts within a second", async () => {
  const values = Array.from({ length: 40_000 }, (_, at) => `secret-${at + 10_000}`);
  const find = createFindValues(values);
  const found = await expectQuick(1_000, () => values.map((value) => find(`${value}!`).length));
  expect(found.every((count) => count === 1)).toBe(true);
});

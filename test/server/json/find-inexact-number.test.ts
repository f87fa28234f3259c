import { expect, test } from "vitest";
import fc from "fast-check";
import { findInexactNumber } from "../../../server/json/find-inexact-number.ts";

test.each([
  ["9007199254740993", "9007199254740993"],
  ["[1, -9007199254740993]", "-9007199254740993"],
  ['{"a": 1e400}', "1e400"],
  ["0.12345678901234567890", "0.12345678901234567890"],
  ['{"a": "9007199254740993", "b\\"1": 9007199254740993}', "9007199254740993"],
])("finds in %s the number that would be another", (text, number) => {
  expect(findInexactNumber(text)).toBe(number);
});

test.each(["9007199254740992", "0.1", "0.10", "1E3", "-0", "100", "1e21", "5e-324", "1.50e2", '"9007199254740993"'])(
  "finds nothing in %s",
  (text) => {
    expect(findInexactNumber(text)).toBeUndefined();
  },
);

test("finds nothing in what was written from values", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findInexactNumber(JSON.stringify(JSON.parse(text)))).toBeUndefined();
    }),
  );
});

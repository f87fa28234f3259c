import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findInexact, isExact } from "../../../../console/pages/try/form/exact-numbers.ts";

describe("a number as it is written", () => {
  test.each([
    "0",
    "-0",
    "0.0",
    "1",
    "-12.50",
    "0.1",
    "1e3",
    "1000",
    "1.5E-7",
    "007",
    "9007199254740992",
    "1e21",
    "5e-324",
  ])("is sent exactly: %s", (text) => expect(isExact(text)).toBe(true));

  test.each(["9007199254740993", "-9007199254740993", "0.12345678901234567890", "1e400", "1e-400", "4e-324"])(
    "would be changed: %s",
    (text) => expect(isExact(text)).toBe(false),
  );

  test("is exact if it is a double as JSON has it", () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => isExact(JSON.stringify(value))),
    );
  });

  test("is found in JSON, and digits in texts are none", () => {
    expect(findInexact('{ "a 9007199254740993": ["\\"9007199254740993", 1.50, -2e3] }')).toBeUndefined();
    expect(findInexact('{ "a": [1, 9007199254740993] }')).toBe("9007199254740993");
  });
});

import { describe, expect, test } from "vitest";
import { readNodeId, readNumber } from "../../../../tools/_lib/beliefs/read-input.ts";
import { createError } from "../../../helpers/fake-context.ts";

describe("readNumber", () => {
  test.each([0, 0.5, 1])("takes %d between 0 and 1", (value) => {
    expect(readNumber(createError, "belief", value, 0, 1)).toBe(value);
  });

  test("takes -0 as 0", () => expect(readNumber(createError, "belief", -0, 0, 1)).toBe(0));

  test.each([-1e-9, 1.000001, Number.NaN, Infinity, -Infinity])("refuses %d and names the field", (value) => {
    expect(() => readNumber(createError, "belief", value, 0, 1)).toThrow("`belief` must be a number from 0 to 1.");
  });
});

describe("readNodeId", () => {
  test.each([
    ["0", 0n],
    ["007", 7n],
    ["0".repeat(1_000), 0n],
    ["18446744073709551615", 2n ** 64n - 1n],
  ])("reads %s", (text, id) => expect(readNodeId(createError, "node_id", text)).toBe(id));

  test.each([
    "",
    " 1",
    "-1",
    "+1",
    "1.0",
    "1e3",
    "0x1",
    "١",
    "18446744073709551616",
    "9".repeat(1_000_000),
    `${"0".repeat(1_000_000)}x`,
  ])("refuses %s and names the field", (text) =>
    expect(() => readNodeId(createError, "src", text)).toThrow(/^`src` must be a whole number from 0 to/),
  );
});

import { describe, expect, test } from "vitest";
import { matchesPattern } from "../../../../tools/_lib/fill/matches-pattern.ts";

describe("matchesPattern", () => {
  test("says whether a value has the form", () => {
    expect(matchesPattern({ pattern: "^\\d+$" }, "12")).toBe(true);
    expect(matchesPattern({ pattern: "^\\d+$" }, "a")).toBe(false);
  });

  test.each([
    {},
    { pattern: "(a+)+$" },
    { pattern: "(a|a)*$" },
    { pattern: "((a+))+$" },
    { pattern: "(" },
    { pattern: 1 },
  ])("leaves %j to the server", (schema) => {
    expect(matchesPattern(schema, "a")).toBeUndefined();
  });

  test("does not try a long value", () => {
    expect(matchesPattern({ pattern: "a" }, "a".repeat(65))).toBeUndefined();
  });
});

import { describe, expect, test } from "vitest";
import { type McpLogLevel, reaches, readLogLevel } from "../../../server/protocol/log-levels.ts";

const LEVELS: readonly McpLogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

describe("log levels", () => {
  test("reach themselves and all that are less severe", () => {
    for (const [index, level] of LEVELS.entries()) {
      expect(LEVELS.filter((least) => reaches(level, least))).toEqual(LEVELS.slice(0, index + 1));
    }
  });

  test.each(LEVELS)("are read by their names: %s", (level) => {
    expect(readLogLevel(level)).toBe(level);
  });

  test.each(["Debug", "warn", "", null, 3, undefined])("are none of other names: %j", (value) => {
    expect(() => readLogLevel(value)).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });
});

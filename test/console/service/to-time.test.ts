import { describe, expect, test } from "vitest";
import { toTime } from "../../../console/service/to-time.ts";

describe("a time as people write it", () => {
  test.each([
    ["2026-11-28", "2026-11-28T00:00:00Z"],
    ["2026-11-28T09:44", "2026-11-28T09:44:00Z"],
    ["2026-11-28 09:44", "2026-11-28T09:44:00Z"],
    ["2026-11-28T09:44+02:00", "2026-11-28T09:44:00+02:00"],
    ["2026-11-28T09:44:10.5Z", "2026-11-28T09:44:10.5Z"],
    ["yesterday", "yesterday"],
  ])("%s is %s", (text, time) => {
    expect(toTime(text)).toBe(time);
  });
});

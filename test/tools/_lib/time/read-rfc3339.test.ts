import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRfc3339, toEpochDay } from "../../../../tools/_lib/time/read-rfc3339.ts";
import { toRfc3339 } from "../../../../tools/_lib/time/to-rfc3339.ts";

describe("readRfc3339", () => {
  test.each([
    ["2026-07-01T12:30:45Z", "2026-07-01T12:30:45.000Z", 0],
    ["2026-07-01t12:30:45z", "2026-07-01T12:30:45.000Z", 0],
    ["2026-07-01T12:30:45.678901Z", "2026-07-01T12:30:45.678Z", 0],
    ["2026-07-01T12:30:45+05:30", "2026-07-01T07:00:45.000Z", 330],
    ["2026-01-01T00:00:00-00:00", "2026-01-01T00:00:00.000Z", 0],
    ["2025-12-31T23:00:00-02:00", "2026-01-01T01:00:00.000Z", -120],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z", 0],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z", 0],
  ])("reads %s", (text, instant, offset) => {
    expect(readRfc3339(text)).toEqual({ instant: Date.parse(instant), offset });
  });

  test.each([
    "2026-07-01",
    "2026-07-01T12:30:45",
    "2026-07-01 12:30:45Z",
    "2026-07-01T12:30Z",
    "2026-7-1T12:30:45Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-07-01T24:00:00Z",
    "2026-07-01T12:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-07-01T12:30:45+24:00",
    "2026-07-01T12:30:45+0530",
    "+002026-07-01T12:30:45Z",
    " 2026-07-01T12:30:45Z",
    "now",
    "",
  ])("refuses %j", (text) => {
    expect(readRfc3339(text)).toBeUndefined();
  });

  test("reads what toRfc3339 writes, at any offset", () => {
    const seconds = fc.integer({ min: -60_000_000_000, max: 250_000_000_000 });
    fc.assert(
      fc.property(seconds, fc.integer({ min: -1439, max: 1439 }), (second, offset) => {
        expect(readRfc3339(toRfc3339(second * 1000, offset))).toEqual({ instant: second * 1000, offset });
      }),
    );
  });
});

describe("toEpochDay", () => {
  test("counts from 1970 and knows leap years", () => {
    expect(toEpochDay(1970, 1, 1)).toBe(0);
    expect(toEpochDay(2000, 3, 1)).toBe(11_017);
    expect(toEpochDay(1900, 2, 29)).toBeUndefined();
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addMonths,
  nearestYear,
  readAmount,
  readMonth,
  readWeekday,
  toInstant,
  toLocal,
  toWeekday,
} from "../../../../tools/_lib/time/calendar.ts";

const day = (text: string) => Date.parse(text) / 86_400_000;

describe("the calendar", () => {
  test("is turned to the clocks at an offset and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e8, max: 1e8 }), fc.integer({ min: -840, max: 840 }), (minutes, offset) => {
        const local = toLocal(minutes * 60_000, offset);
        expect(local.minutes).toBeGreaterThanOrEqual(0);
        expect(local.minutes).toBeLessThan(1440);
        expect(toInstant(local, offset)).toBe(minutes * 60_000);
      }),
    );
  });

  test("knows the weekday of any day", () => {
    expect(toWeekday(day("2026-07-01"))).toBe(3);
    expect(toWeekday(day("1969-12-31"))).toBe(3);
  });

  test("ends a month that is too short at its last day", () => {
    expect(addMonths(day("2026-01-31"), 1)).toBe(day("2026-02-28"));
    expect(addMonths(day("2024-02-29"), 12)).toBe(day("2025-02-28"));
    expect(addMonths(day("2026-01-15"), -2)).toBe(day("2025-11-15"));
  });

  test("finds the nearest year on the side that is meant", () => {
    const today = day("2026-07-01");
    expect(nearestYear(5, 3, today, false)).toBe(day("2027-05-03"));
    expect(nearestYear(5, 3, today, true)).toBe(day("2026-05-03"));
    expect(nearestYear(12, 24, today, true)).toBe(day("2025-12-24"));
    expect(nearestYear(2, 30, today, false)).toBeUndefined();
  });

  test("reads names and amounts", () => {
    expect([readMonth("Sept"), readMonth("december"), readMonth("xyz")]).toEqual([9, 12, undefined]);
    expect([readWeekday("Sunday"), readWeekday("thurs"), readWeekday("day")]).toEqual([0, 4, undefined]);
    expect(["3", "a", "an", "twelve", "a couple of", "many", "1000000"].map(readAmount)).toEqual([
      3,
      1,
      1,
      12,
      2,
      undefined,
      undefined,
    ]);
  });
});

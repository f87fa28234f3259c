import { describe, expect, test } from "vitest";
import { extractDays } from "../../../../tools/_lib/time/extract-day.ts";

const WEDNESDAY = { day: Date.UTC(2026, 6, 1) / 86_400_000, minutes: 750 };

describe("extractDays", () => {
  test("says which day, and which time to assume", () => {
    expect(extractDays("tomorrow", WEDNESDAY, false)).toEqual([
      { start: 0, end: 8, day: WEDNESDAY.day + 1, minutes: 720 },
    ]);
    expect(extractDays("in 2 days", WEDNESDAY, false)).toMatchObject([{ day: WEDNESDAY.day + 2, minutes: 750 }]);
    expect(extractDays("tonight", { ...WEDNESDAY, minutes: 1300 }, false)).toMatchObject([{ minutes: 1300 }]);
  });

  test("reads the same words once", () => {
    expect(extractDays("the day after tomorrow", WEDNESDAY, false)).toHaveLength(1);
    expect(extractDays("24 December 2026", WEDNESDAY, false)).toHaveLength(1);
  });

  test("looks back where the sentence does", () => {
    const [ahead, back] = [false, true].map((past) => extractDays("Friday", WEDNESDAY, past)[0]?.day);
    expect([ahead, back]).toEqual([WEDNESDAY.day + 2, WEDNESDAY.day - 5]);
    expect(extractDays("the 15th", WEDNESDAY, true)).toMatchObject([{ day: WEDNESDAY.day - 16 }]);
  });

  test("leaves parts of other words and numbers alone", () => {
    expect(extractDays("mondayish 1.2.3.4 x2026-01-01 sun and sat", WEDNESDAY, false)).toEqual([]);
  });
});

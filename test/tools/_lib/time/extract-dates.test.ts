import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractDates } from "../../../../tools/_lib/time/extract-dates.ts";

/** A Wednesday. */
const NOW = Date.UTC(2026, 6, 1, 12, 30);

function read(text: string, offset = 0): string[] {
  return extractDates(text, NOW, offset).map(
    ({ start, end, instant }) => `${text.slice(start, end)} = ${new Date(instant).toISOString().slice(0, 16)}`,
  );
}

describe("extractDates", () => {
  test.each([
    ["today", "today = 2026-07-01T12:30"],
    ["today at 9am", "today at 9am = 2026-07-01T09:00"],
    ["tonight", "tonight = 2026-07-01T20:00"],
    ["this evening", "this evening = 2026-07-01T19:00"],
    ["last night", "last night = 2026-06-30T22:00"],
    ["tomorrow", "tomorrow = 2026-07-02T12:00"],
    ["tomorrow at 3pm", "tomorrow at 3pm = 2026-07-02T15:00"],
    ["tomorrow, at 15:30", "tomorrow, at 15:30 = 2026-07-02T15:30"],
    ["tomorrow at 9", "tomorrow at 9 = 2026-07-02T09:00"],
    ["3:45 p.m. tomorrow", "3:45 p.m. tomorrow = 2026-07-02T15:45"],
    ["tomorrow morning", "tomorrow morning = 2026-07-02T09:00"],
    ["tomorrow evening at 9pm", "tomorrow evening at 9pm = 2026-07-02T21:00"],
    ["the day after tomorrow", "the day after tomorrow = 2026-07-03T12:00"],
    ["yesterday", "yesterday = 2026-06-30T12:00"],
    ["the day before yesterday", "the day before yesterday = 2026-06-29T12:00"],
    ["in 3 hours", "in 3 hours = 2026-07-01T15:30"],
    ["in half past", undefined],
    ["an hour ago", "an hour ago = 2026-07-01T11:30"],
    ["in two days", "in two days = 2026-07-03T12:30"],
    ["in 2 days at noon", "in 2 days at noon = 2026-07-03T12:00"],
    ["2 weeks ago", "2 weeks ago = 2026-06-17T12:30"],
    ["a couple of months ago", "a couple of months ago = 2026-05-01T12:30"],
    ["three years from now", "three years from now = 2029-07-01T12:30"],
    ["next week", "next week = 2026-07-08T12:30"],
    ["last month", "last month = 2026-06-01T12:30"],
    ["on Friday", "Friday = 2026-07-03T12:00"],
    ["next friday at 15:00", "next friday at 15:00 = 2026-07-03T15:00"],
    ["on Wednesday", "Wednesday = 2026-07-08T12:00"],
    ["this wednesday", "this wednesday = 2026-07-01T12:00"],
    ["last Monday", "last Monday = 2026-06-29T12:00"],
    ["how was it on Monday?", "Monday = 2026-06-29T12:00"],
    ["at the weekend", "the weekend = 2026-07-04T12:00"],
    ["2026-12-24", "2026-12-24 = 2026-12-24T12:00"],
    ["2026-12-24 18:00", "2026-12-24 18:00 = 2026-12-24T18:00"],
    ["24 December", "24 December = 2026-12-24T12:00"],
    ["the 24th of December, 2027", "the 24th of December, 2027 = 2027-12-24T12:00"],
    ["Dec 24 at 6 pm", "Dec 24 at 6 pm = 2026-12-24T18:00"],
    ["May 5th", "May 5th = 2027-05-05T12:00"],
    ["it rained on May 5th", "May 5th = 2026-05-05T12:00"],
    ["24.12.2026", "24.12.2026 = 2026-12-24T12:00"],
    ["12/24/2026", "12/24/2026 = 2026-12-24T12:00"],
    ["24/12/2026", "24/12/2026 = 2026-12-24T12:00"],
    ["on the 24th", "the 24th = 2026-07-24T12:00"],
    ["at 15:00", "15:00 = 2026-07-01T15:00"],
    ["at 9am", "9am = 2026-07-02T09:00"],
    ["at midnight", "midnight = 2026-07-02T00:00"],
    ["2026-07-03T15:00:00+02:00", "2026-07-03T15:00:00+02:00 = 2026-07-03T13:00"],
    ["04/05/2026", undefined],
    ["31 February", undefined],
    ["good morning", undefined],
    ["I may go 3 times", undefined],
    ["look at 9 of them", undefined],
    ["in 99999 years", undefined],
    ["version 1.2.3", undefined],
    ["half past three", "half past three = 2026-07-01T15:30"],
    ["half past twelve", "half past twelve = 2026-07-01T12:30"],
    ["tomorrow in Oslo at 3pm", "tomorrow = 2026-07-02T15:00"],
    ["on Friday in Oslo in the evening", "Friday = 2026-07-03T19:00"],
    ["2016-12-31T23:59:60Z", undefined],
  ])("reads %j", (text, expected) => {
    expect(read(text)).toEqual(expected === undefined ? [] : [expected]);
  });

  test("reads several in the order of the text", () => {
    expect(read("from tomorrow until Friday at 18:00")).toEqual([
      "tomorrow = 2026-07-02T12:00",
      "Friday at 18:00 = 2026-07-03T18:00",
    ]);
  });

  test("goes by the clock of whoever speaks", () => {
    expect(read("tomorrow at 3pm", 120)).toEqual(["tomorrow at 3pm = 2026-07-02T13:00"]);
    expect(read("tomorrow at 3pm UTC", 120)).toEqual(["tomorrow at 3pm UTC = 2026-07-02T15:00"]);
    expect(read("tomorrow at 3pm UTC-4", 120)).toEqual(["tomorrow at 3pm UTC-4 = 2026-07-02T19:00"]);
    // Half past midnight of the next day, over there.
    expect(read("today at 9:00", 720)).toEqual(["today at 9:00 = 2026-07-01T21:00"]);
  });

  test("tells the present from an instant", () => {
    expect(extractDates("now", NOW, 0)).toMatchObject([{ instant: NOW, present: true }]);
    expect(extractDates("today", NOW, 0)).toMatchObject([{ present: true }]);
    expect(extractDates("today at 9", NOW, 0)).toMatchObject([{ present: false }]);
    expect(extractDates("3 days from now", NOW, 0)).toMatchObject([{ present: false }]);
  });

  test("finds instants that can be written, whatever the text", () => {
    const words = fc.constantFrom(
      ..."in on at the 3 12 99999 days weeks years ago from now tomorrow next last friday may 31 2026 pm 15:00 : - / .".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: -840, max: 840 }), (message, offset) => {
        for (const { start, end, instant } of extractDates(message, NOW, offset)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(message.length);
          expect(new Date(instant).toISOString()).toMatch(/^\d{4}-/);
        }
      }),
      { numRuns: process.env["CAIRN_LONG"] ? 20_000 : 300 },
    );
  });
});

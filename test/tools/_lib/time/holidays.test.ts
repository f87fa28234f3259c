import { describe, expect, test } from "vitest";
import { extractDays } from "../../../../tools/_lib/time/extract-day.ts";
import { toEpochDay } from "../../../../tools/_lib/time/read-rfc3339.ts";

const TODAY = toEpochDay(2026, 11, 20) ?? 0;

function dayOf(text: string, past = false): string | undefined {
  const [mention] = extractDays(text, { day: TODAY, minutes: 540 }, past);
  return mention && new Date(mention.day * 86_400_000).toISOString().slice(0, 10);
}

describe("holidays", () => {
  test.each([
    ["christmas", "2026-12-25"],
    ["Christmas Eve", "2026-12-24"],
    ["Heiligabend", "2026-12-24"],
    ["New Year's Eve", "2026-12-31"],
    ["new years day", "2027-01-01"],
    ["Thanksgiving", "2026-11-26"],
    ["Easter", "2027-03-28"],
    ["Good Friday", "2027-03-26"],
    ["Black Friday", "2026-11-27"],
    ["Cyber Monday", "2026-11-30"],
    ["Memorial Day", "2027-05-31"],
    ["Shrove Tuesday", "2027-02-09"],
    ["Ash Wednesday", "2027-02-10"],
    ["Palm Sunday", "2027-03-21"],
    ["Maundy Thursday", "2027-03-25"],
    ["Ascension Day", "2027-05-06"],
    ["Whit Monday", "2027-05-17"],
    ["Corpus Christi", "2027-05-27"],
    ["Halloween", "2027-10-31"],
    ["the 4th of July", "2027-07-04"],
  ])("are days: %s", (text, day) => {
    expect(dayOf(text)).toBe(day);
  });

  test("look back where the sentence does", () => {
    expect(dayOf("what was it like at Easter", true)).toBe("2026-04-05");
  });

  // Source: the dates of Easter that the US Naval Observatory lists.
  test.each([
    [1961, "04-02"],
    [2000, "04-23"],
    [2008, "03-23"],
    [2011, "04-24"],
    [2038, "04-25"],
    [2049, "04-18"],
  ])("know Easter in %i", (year, date) => {
    const today = toEpochDay(year, 1, 1) ?? 0;
    const [mention] = extractDays("easter", { day: today, minutes: 0 }, false);
    expect(new Date((mention?.day ?? 0) * 86_400_000).toISOString().slice(0, 10)).toBe(`${year}-${date}`);
  });

  test("of other calendars are not guessed at", () => {
    expect(dayOf("Chinese New Year")).toBeUndefined();
  });
});

import { describe, expect, test } from "vitest";
import { extractClocks } from "../../../../tools/_lib/time/extract-clock.ts";

const read = (text: string) => extractClocks(text).map(({ minutes, vague, zone }) => [minutes / 60, vague, zone]);

describe("extractClocks", () => {
  test.each([
    ["3pm", 15],
    ["12am", 0],
    ["12 p.m.", 12],
    ["9:30 am", 9.5],
    ["0:15", 0.25],
    ["23:45:10", 23.75],
    ["noon", 12],
    ["midnight", 0],
    ["7 o'clock", 7],
  ])("reads %j", (text, hour) => {
    expect(read(text)).toEqual([[hour, false, undefined]]);
  });

  test("knows what only tells a time beside a day", () => {
    expect(read("in the afternoon")).toEqual([[15, true, undefined]]);
    expect(read("at 9")).toEqual([[9, true, undefined]]);
  });

  test.each([
    ["15:00 UTC", 0],
    ["3pm GMT", 0],
    ["15:00 UTC+2", 120],
    ["3pm GMT-5", -300],
    ["15:00 UTC+05:30", 330],
  ])("notices the zone: %s", (text, zone) => {
    expect(read(text)).toEqual([[15, false, zone]]);
  });

  test.each(["25:00", "3 pmx", "13pm", "1.15:00", "10%", "at 9 people", "at 9.5"])("leaves %j alone", (text) => {
    expect(read(text)).toEqual([]);
  });
});

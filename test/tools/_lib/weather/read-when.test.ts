import { describe, expect, test } from "vitest";
import { readWhen, toDates } from "../../../../tools/_lib/weather/read-when.ts";
import { createFakeContext } from "../../../helpers/fake-context.ts";

const ctx = createFakeContext({ now: Date.UTC(2026, 6, 1, 12) });

describe("readWhen", () => {
  test.each([
    ["now", { service: "current" }],
    ["2026-07-01T00:00:00Z", { service: "forecast", instant: Date.UTC(2026, 6, 1) }],
    ["2026-04-02T00:00:00Z", { service: "forecast", instant: Date.UTC(2026, 3, 2) }],
    ["2026-04-01T23:59:59Z", { service: "archive", instant: Date.UTC(2026, 3, 1, 23, 59, 59) }],
  ])("sends %s to the service that knows it", (when, expected) => {
    expect(readWhen(ctx, when)).toEqual(expected);
  });
});

describe("toDates", () => {
  test.each([
    ["2026-07-03T13:00:00Z", "2026-07-03", "2026-07-04"],
    ["2026-07-03T05:00:00Z", "2026-07-02", "2026-07-03"],
    ["2026-07-16T20:00:00Z", "2026-07-16", "2026-07-16"],
    ["1940-01-01T03:00:00Z", "1940-01-01", "1940-01-01"],
  ])("spans the dates that %s may be at a place", (when, first, last) => {
    const read = readWhen(ctx, when);
    expect(read.service === "current" ? [] : toDates(ctx, read)).toEqual([first, last]);
  });
});

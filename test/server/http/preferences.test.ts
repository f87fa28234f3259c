import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPreferences } from "../../../server/http/preferences.ts";

describe("preferences", () => {
  test.each([
    [null, { respondAsync: false }],
    ["", { respondAsync: false }],
    ["respond-async", { respondAsync: true }],
    ["respond-async, wait=10", { respondAsync: true, wait: 10 }],
    ["wait = 5; strict, respond-async;x=y", { respondAsync: true, wait: 5 }],
    ["Respond-Async", { respondAsync: true }],
    ['wait="7"', { respondAsync: false, wait: 7 }],
    ["wait=3, wait=9", { respondAsync: false, wait: 3 }],
    ["wait=-1, wait=soon, return=minimal", { respondAsync: false }],
  ])("of %j are %j", (header, read) => {
    expect(readPreferences(header)).toEqual(read);
  });

  test("are read from anything", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(typeof readPreferences(header).respondAsync).toBe("boolean");
      }),
    );
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stem } from "../../../../tools/_lib/language/stem.ts";

describe("stem", () => {
  test.each([
    ["forecast", "forecasts", "forecasting"],
    ["rain", "rains", "rained", "raining", "rainy"],
    ["city", "cities"],
    ["currency", "currencies"],
    ["translate", "translates", "translating", "translation", "translator"],
    ["note", "notes"],
    ["search", "searches", "searching", "searched"],
    ["box", "boxes"],
    ["run", "running"],
    ["calculate", "calculator", "calculation"],
    ["plan", "planned", "planning"],
  ])("treats the forms of %s alike", (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  test.each(["glass", "bus", "this", "status", "Österreich", "12"])("leaves %s as it is", (word) => {
    expect(stem(word)).toBe(word);
  });

  test("gives every word a stem", () => {
    const word = fc.stringMatching(/^[a-z]{1,20}$/);
    fc.assert(
      fc.property(word, (given) => {
        expect(stem(given).length).toBeGreaterThan(0);
      }),
    );
  });
});

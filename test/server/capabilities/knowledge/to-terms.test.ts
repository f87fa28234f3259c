import { describe, expect, test } from "vitest";
import { stem, toTerms } from "../../../../server/capabilities/knowledge/to-terms.ts";

describe("the terms of a text", () => {
  test.each([
    ["get_weather", ["get", "weather", "getweather"]],
    ["getWeather", ["get", "weather", "getweather"]],
    ["runner.get_weather", ["runner", "get", "weather", "getweather"]],
    ["tools/_lib/find-place.ts", ["tool", "lib", "find", "plac", "ts"]],
    ["HTTPServer", ["http", "server", "httpserver"]],
    ["MAX_FILES", ["max", "fil", "maxfiles"]],
    ["It is the weather of a place.", ["weather", "plac"]],
    ["x = 10km", ["10km"]],
    ["a".repeat(41), []],
    ["Größe", ["größe"]],
  ])("of %j are %j", (text, terms) => {
    expect(toTerms(text)).toEqual(terms);
  });

  test.each([
    ["cache", "caches", "cached", "caching"],
    ["forecast", "forecasts", "forecasted", "forecasting"],
    ["policy", "policies"],
    ["match", "matches", "matched", "matching"],
    ["run", "running"],
    ["tune", "tuned", "tuning", "tunes"],
  ])("are alike for the forms of %s", (...words) => {
    expect(new Set(words.map(stem)).size).toBe(1);
  });

  test("keep short words and other letters as they are", () => {
    expect(["bus", "need", "speed", "class", "status", "größen", "thing", "string"].map(stem)).toEqual([
      "bus",
      "need",
      "speed",
      "class",
      "status",
      "größen",
      "thing",
      "string",
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { correctSpelling } from "../../../../tools/_lib/language/spelling.ts";

describe("misspelt words of requests", () => {
  test.each([
    ["wether in londn tommorow", "weather in londn tomorrow"],
    ["wehater in Vienna on satruday", "weather in Vienna on saturday"],
    ["Wheather Prague", "weather Prague"],
    ["Chicago degrees F", "Chicago °F"],
  ])("are mended: %s", (text, right) => {
    expect(correctSpelling(text)).toBe(right);
  });

  test.each(["leather boots", "ask Heather", "whether or not", "Frida in Tonight Show", "runner.wether", "a_wether"])(
    "are not seen in names and other words: %s",
    (text) => {
      expect(correctSpelling(text)).toBe(text);
    },
  );
});

import { describe, expect, test } from "vitest";
import { toBrief } from "../../../../tools/_lib/chat/to-brief.ts";

describe("a brief answer", () => {
  test("is the sentence up to its first semicolon", () => {
    expect(toBrief("In Oslo it is 12.3 °C and overcast; it feels like 11 °C; there is wind.")).toBe(
      "In Oslo it is 12.3 °C and overcast.",
    );
  });

  test("is the beginning of a list", () => {
    expect(toBrief("a: 1\nb: 2\nc: 3\nd: 4")).toBe("a: 1\nb: 2\nc: 3\n…");
  });

  test.each(["Done.", "", "St. Louis is a city. It has an arch.", "one; two\nthree"])(
    "is all of what has no such place: %j",
    (text) => {
      expect(toBrief(text)).toBe(text);
    },
  );
});

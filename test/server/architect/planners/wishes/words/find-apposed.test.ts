import { describe, expect, test } from "vitest";
import { findApposed } from "../../../../../../server/architect/planners/wishes/words/find-apposed.ts";
import { toTokens } from "../../../../../../server/architect/planners/wishes/words/words.ts";

describe("values that a message sets apart", () => {
  test.each([
    ["status needs a third value, paused, besides open and closed", ["paused"]],
    ["Add another tone, cheerful, next to formal and friendly", ["cheerful"]],
    ["glass is missing among the materials", ["glass"]],
    ["carriers: BLUE + RED missing", ["BLUE", "RED"]],
    ["The form lacks two of our services, washing and ironing.", ["washing", "ironing"]],
    ["Wir brauchen einen weiteren Wert, dringend", ["dringend"]],
  ])("are found: %s", (text, values) => {
    const tokens = toTokens(text);
    expect(findApposed(text, tokens).map((at) => tokens[at]?.text)).toEqual(values);
  });

  test.each(["Set the limit to 40, please", "The title of the search tool is wrong", "Show orders, newest first"])(
    "are none where a message sets none apart: %s",
    (text) => {
      expect(findApposed(text, toTokens(text))).toEqual([]);
    },
  );
});

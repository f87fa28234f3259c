import { describe, expect, test } from "vitest";
import { quoteGiven } from "../../../../../server/architect/planners/wishes/quote-given.ts";

describe("a text behind a colon", () => {
  test.each([
    [
      "track_order should be described as: Follows a parcel.",
      'track_order should be described as: "Follows a parcel."',
    ],
    ["Set the title of track_order to: Follow a parcel.", 'Set the title of track_order to: "Follow a parcel"'],
    ["The hint is wrong. Make it: Days until it comes.", 'The hint is wrong. Make it: "Days until it comes."'],
    ["The hint is missing. Say: Days until it comes.", 'The hint is missing. Say: "Days until it comes."'],
  ])("stands in quotation marks: %s", (message, quoted) => {
    expect(quoteGiven(message)).toBe(quoted);
  });

  test.each([
    "Two wishes: Raise the limit to 40.",
    "Deprecate track_order. Reason: Nobody uses it.",
    'Call it: "Follow"',
  ])("stays as it is where no word says that it is one: %s", (message) => {
    expect(quoteGiven(message)).toBe(message);
  });
});

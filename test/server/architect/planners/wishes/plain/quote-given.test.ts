import { describe, expect, test } from "vitest";
import { quoteGiven } from "../../../../../../server/architect/planners/wishes/plain/quote-given.ts";

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
    [
      "Limit should be described as: Passages at most. Oh, and one more thing: drop the fax.",
      'Limit should be described as: "Passages at most.". Oh, and one more thing: drop the fax.',
    ],
    [
      "The hint is missing. Say: Days until it comes. track_order must cost 3 units.",
      'The hint is missing. Say: "Days until it comes.". track_order must cost 3 units.',
    ],
    [
      "The hint is missing. Say: Days until it comes. Must be whole.",
      'The hint is missing. Say: "Days until it comes. Must be whole."',
    ],
  ])("ends before a sentence that asks for something else: %s", (message, quoted) => {
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

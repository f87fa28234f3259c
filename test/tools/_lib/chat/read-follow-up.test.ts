import { describe, expect, test } from "vitest";
import { readFollowUp } from "../../../../tools/_lib/chat/read-follow-up.ts";

describe("readFollowUp", () => {
  test.each([
    ["and tomorrow?", true, "tomorrow?"],
    ["What about Paris?", true, "Paris?"],
    ["ok, and how about in Rome", true, "in Rome"],
    ["make it 10", true, "10"],
    ["Berlin instead", true, "Berlin"],
    ["Berlin, too!", true, "Berlin"],
    ["tokyo?", true, "tokyo?"],
    ["android phones", false, "android phones"],
    ["is it?", false, "is it?"],
    ["in fahrenheit", false, "in fahrenheit"],
  ])("reads %j", (message, cued, rest) => {
    expect(readFollowUp(message)).toEqual({ cued, repeat: false, rest });
  });

  test.each(["again", "Once more!", "try again", "please do that again", "same again"])(
    "knows %j for a repetition",
    (message) => {
      expect(readFollowUp(message).repeat).toBe(true);
    },
  );
});

import { describe, expect, test } from "vitest";
import { findLedPhrase, findLeftover, findNames, findRemainder } from "../../../../tools/_lib/fill/find-phrase.ts";

const known = new Set(["weather", "note", "add", "translat"]);

describe("findLedPhrase", () => {
  test.each([
    ["the weather in Paris tomorrow", "Paris tomorrow"],
    ["in Rio de Janeiro please", "Rio de Janeiro"],
    ["in paris, france", "paris, france"],
    ["in Paris, will it rain?", "Paris"],
    ["in the city", "city"],
    ["in The Hague", "The Hague"],
    ["in St. Louis. Thanks", "St. Louis"],
    ["good for a walk in Rome and for me", "Rome"],
    ["for my trip to Oslo", "Oslo"],
    ["at 9", undefined],
    ["in the", undefined],
    ["inside Paris", undefined],
  ])("reads a place in %j", (message, expected) => {
    expect(findLedPhrase(message, ["in", "at", "for", "to"], "place", [])?.value).toBe(expected);
  });

  test("takes all of what is searched for, up to the next field", () => {
    expect(findLedPhrase("about cats and dogs in Paris", ["about"], "topic", [])?.value).toBe("cats and dogs in Paris");
    expect(findLedPhrase("about cats limit x", ["about"], "topic", ["limit"])?.value).toBe("cats");
  });
});

describe("findNames", () => {
  test.each([
    ["London weather", ["London"]],
    ["Will New York be warm?", ["New York"]],
    ["Weather Rio de Janeiro, Brazil", ["Rio de Janeiro, Brazil"]],
    ["Check Paris and London", ["Paris", "London"]],
    ["What is it?", []],
    ["all lower case", []],
  ])("finds in %j just %j", (message, expected) => {
    expect(findNames(message, known).map(({ value }) => value)).toEqual(expected);
  });
});

describe("findLeftover", () => {
  test.each([
    ["weather paris", "paris"],
    ["what is the weather like in new york right now", "new york"],
    ["weather paris and london", "paris"],
    ["a joke", undefined],
    ["weather", undefined],
    ["weather \uFFFC\uFFFC paris", "paris"],
  ])("finds in %j just %j", (message, expected) => {
    expect(findLeftover(message, known)?.value).toBe(expected);
  });
});

describe("findRemainder", () => {
  test.each([
    ["translate hello world", "hello world"],
    ["add a note buy milk and bread", "buy milk and bread"],
    ["look up the moon", "moon"],
    ["please translate this", undefined],
    ["translate good morning \uFFFC\uFFFC now", "good morning"],
    ["add a note", undefined],
  ])("finds in %j just %j", (message, expected) => {
    expect(findRemainder(message, known)?.value).toBe(expected);
  });
});

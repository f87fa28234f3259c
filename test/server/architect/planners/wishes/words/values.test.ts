import { describe, expect, test } from "vitest";
import { CHINESE } from "../../../../../../server/architect/planners/wishes/words/phrase-index.ts";
import { findAmounts, toNumber } from "../../../../../../server/architect/planners/wishes/words/values.ts";
import { toTokens } from "../../../../../../server/architect/planners/wishes/words/words.ts";

function amountsIn(message: string): readonly (readonly [number, string | undefined])[] {
  return findAmounts(toTokens(message, CHINESE)).map(({ value, unit }) => [value, unit]);
}

describe("the amounts of a message", () => {
  test.each([
    ["a hundred and twenty", 120],
    ["one hundred", 100],
    ["two hundred and fifty", 250],
    ["two thousand five hundred", 2500],
    ["twenty five thousand", 25_000],
    ["zwei hundert fünfzig", 250],
    ["twenty five", 25],
    ["120", 120],
  ])("are whole when several words say them: %s", (said, value) => {
    expect(amountsIn(`set the maximum to ${said}`)).toEqual([[value, undefined]]);
  });

  test.each([
    ["half of that is plenty", [[0.5, "factor"]]],
    ["a quarter of it would do", [[0.25, "factor"]]],
    ["half of the conversations", [[50, "to"]]],
    ["two thirds of that", []],
  ])("that are parts of what was said before are factors: %s", (said, amounts) => {
    expect(findAmounts(toTokens(said, CHINESE)).map(({ value, role }) => [value, role])).toEqual(amounts);
  });

  test("have the unit behind the last word", () => {
    expect(amountsIn("a hundred and twenty seconds")).toEqual([[120, "seconds"]]);
  });

  test("are two where a sum does not join them", () => {
    expect(amountsIn("between a hundred and 200").map(([value]) => value)).toEqual([100, 200]);
  });

  test("in kilos only guess at what is not weighed", () => {
    const [amount] = findAmounts(toTokens("300 kilos"));
    if (amount === undefined) throw new Error("There is no amount.");
    const accepts = { kind: "number", unit: "plain" } as const;
    expect(toNumber(amount, accepts, new Set(["ask"]))).toEqual({ value: 300, isGuess: true });
    expect(toNumber(amount, accepts, new Set(["weight", "kg"]))).toEqual({ value: 300, isGuess: false });
    expect(toNumber(amount, accepts, new Set(["weight", "g"]))).toEqual({ value: 300_000, isGuess: false });
  });
});

test("an amount that is said not to suffice is what it is now", () => {
  const rolesIn = (message: string) => findAmounts(toTokens(message, CHINESE)).map(({ role }) => role);
  expect(rolesIn("twelve hours is too short")).toEqual(["from"]);
  expect(rolesIn("2.5 seconds are not enough, make it 5")).toEqual(["from", "to"]);
  expect(rolesIn("more than 20 is too many")).toEqual(["to"]);
  expect(rolesIn("20 is plenty")).toEqual(["to"]);
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitBradleyTerry } from "../../../../../server/capabilities/tuner/preferences/bradley-terry.ts";
import { fitPlackettLuce } from "../../../../../server/capabilities/tuner/preferences/plackett-luce.ts";
import { minorise } from "./minorise.ts";

const ITEMS = ["a", "b", "c", "d"];
const orders = fc.shuffledSubarray(ITEMS, { minLength: 2 });
const none = { l2: 0 };

describe("the Plackett-Luce fit", () => {
  test("is the one that minorisation-maximisation comes to", () => {
    fc.assert(
      fc.property(fc.array(orders, { minLength: 1, maxLength: 8 }), (some) => {
        // With a ranking and its reverse nobody is always above anybody.
        const rankings = [...some, ITEMS, [...ITEMS].reverse()];
        const wins = rankings.flatMap((ranking) =>
          ranking.slice(0, -1).map((item, at) => ({
            winner: ITEMS.indexOf(item),
            losers: ranking.slice(at + 1).map((other) => ITEMS.indexOf(other)),
            count: 1,
          })),
        );
        const expected = minorise(ITEMS.length, wins);
        for (const [at, { value }] of fitPlackettLuce(ITEMS, rankings, none).estimates.entries()) {
          expect(value).toBeCloseTo(expected[at] ?? Number.NaN, 7);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("of rankings of two is Bradley-Terry's", () => {
    const rankings = [
      ["a", "b"],
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ];
    const tallies = rankings.map(([first = "", second = ""]) => ({
      first,
      second,
      firstWins: 1,
      secondWins: 0,
      ties: 0,
    }));
    const expected = fitBradleyTerry(["a", "b", "c"], tallies, { l2: 0.5, ties: "half", order: false });
    expect(fitPlackettLuce(["a", "b", "c"], rankings, { l2: 0.5 }).estimates).toEqual(expected.estimates);
  });

  test("of all rankings of three by a known law is that law", () => {
    const worth: Readonly<Record<string, number>> = { a: 4, b: 2, c: 1 };
    // As many times as 420 rankings hold it on average.
    const times: readonly (readonly [string, number])[] = [
      ["abc", 160],
      ["acb", 80],
      ["bac", 96],
      ["bca", 24],
      ["cab", 40],
      ["cba", 20],
    ];
    const rankings = times.flatMap(([ranking, count]) => Array.from({ length: count }, () => ranking.split("")));
    const fit = fitPlackettLuce(["a", "b", "c"], rankings, none);
    const [a, b, c] = fit.estimates.map(({ value }) => value);
    expect((a ?? 0) - (c ?? 0)).toBeCloseTo(Math.log((worth["a"] ?? 0) / (worth["c"] ?? 0)), 9);
    expect((b ?? 0) - (c ?? 0)).toBeCloseTo(Math.log((worth["b"] ?? 0) / (worth["c"] ?? 0)), 9);
  });

  test.each([
    [
      "where somebody is always above",
      [
        ["a", "b"],
        ["b", "a"],
        ["a", "c"],
      ],
      "{`a`, `b`}, {`c`}",
    ],
    ["of one item", [["a"]], "The ranking [`a`] has fewer than two items."],
    ["with an item twice", [["a", "a"]], "The ranking [`a`, `a`] has an item twice."],
    ["of unknown items", [["a", "x"]], "`x` is compared but is none"],
  ])("refuses rankings %s", (_what, rankings, message) => {
    expect(() => fitPlackettLuce(["a", "b", "c"], rankings, none)).toThrow(message);
  });
});

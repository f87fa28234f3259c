import { describe, expect, test } from "vitest";
import {
  type Comparison,
  createComparison,
  evidenceOf,
  extendComparison,
  type Side,
} from "../../../../../server/capabilities/tuner/stopping/comparison.ts";
import { createDraws } from "../create-draws.ts";

type Seen = readonly [side: Side, harm: number];

const SEEN: readonly Seen[] = [
  ["active", 1],
  ["active", 0],
  ["former", 0],
  ["former", 0.25],
  ["active", 0.75],
  ["active", 1],
  ["former", 1],
  ["former", 0],
  ["active", 1],
];

const compare = (limit: number, seen: readonly Seen[]) =>
  seen.reduce((all, [side, harm]) => extendComparison(all, side, harm), createComparison(limit));

/** Chances that harm is done at a time, by either side. */
type World = (time: number) => Readonly<Record<Side, number>>;

/** The time at which the evidence reached 1 / alpha; undefined where it never did. */
function findEnd(world: World, options: { seed: number; limit: number; steps: number; share?: number }) {
  const { seed, limit, steps, share = 0.5 } = options;
  const draw = createDraws(seed);
  let comparison = createComparison(limit);
  for (let time = 0; time < steps; time += 1) {
    const side = draw() < share ? "active" : "former";
    comparison = extendComparison(comparison, side, Number(draw() < world(time)[side]));
    if (evidenceOf(comparison) >= 1 / ALPHA) return time;
  }
  return undefined;
}

const ALPHA = 0.05;
const RUNS = process.env["CAIRN_LONG"] === "1" ? 5000 : 200;

function endsOf(world: World, options: { limit: number; steps: number; share?: number }): readonly number[] {
  return Array.from({ length: RUNS }, (_, seed) => findEnd(world, { seed, ...options }) ?? []).flat();
}

const both =
  (harm: (time: number) => number): World =>
  (time) => ({ active: harm(time), former: harm(time) });

describe("a comparison", () => {
  test("stakes parts of its capital on each pair, as exact fractions have it", () => {
    const { pairs, capital, seen } = compare(0.1, SEEN);
    expect(pairs).toBe(4);
    expect(seen).toEqual({ active: { count: 5, sum: 3.75 }, former: { count: 4, sum: 1.25 } });
    for (const [place, exact] of ORACLE.capital.entries()) expect(capital[place]).toBeCloseTo(exact, 12);
    expect(evidenceOf(compare(0.1, SEEN))).toBeCloseTo(ORACLE.evidence, 12);
  });

  test("says the same after it was written as JSON and read", () => {
    const half = JSON.parse(JSON.stringify(compare(0.1, SEEN.slice(0, 4)))) as Comparison;
    const rest = SEEN.slice(4).reduce((all, [side, harm]) => extendComparison(all, side, harm), half);
    expect(rest).toEqual(compare(0.1, SEEN));
  });

  test.each([
    ["a limit below 0", () => createComparison(-0.1)],
    ["a limit that is no number", () => createComparison(Number.NaN)],
    ["harm beyond 1", () => extendComparison(createComparison(0), "active", 1.1)],
    ["harm that is no number", () => extendComparison(createComparison(0), "former", Number.NaN)],
  ])("refuses %s", (_, wrong) => {
    expect(wrong).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test.each<readonly [string, World, { limit: number; steps: number; share?: number }]>([
    ["both fail half of the time", both(() => 0.5), { limit: 0, steps: 2000 }],
    ["both fail now and then", both(() => 0.02), { limit: 0, steps: 2000 }],
    ["nothing works for a while", both((time) => (time > 500 && time < 900 ? 1 : 0.02)), { limit: 0, steps: 2000 }],
    ["nothing works every other minute", both((time) => Math.floor(time / 7) % 2), { limit: 0, steps: 2000 }],
    ["every third call fails", both((time) => Number(time % 3 === 0)), { limit: 0, steps: 2000 }],
    [
      "few are given the former",
      both((time) => (time > 500 && time < 900 ? 1 : 0.1)),
      { limit: 0, steps: 4000, share: 0.97 },
    ],
    ["the active one is worse, as far as it may", () => ({ active: 0.3, former: 0.2 }), { limit: 0.1, steps: 2000 }],
    ["the active one is better", () => ({ active: 0.1, former: 0.3 }), { limit: 0, steps: 2000 }],
  ])("is mistaken at most as often as it may be when %s", (_, world, options) => {
    // The bound is alpha; three standard errors of the runs are added.
    expect(endsOf(world, options).length / RUNS).toBeLessThan(ALPHA + 3 * Math.sqrt(ALPHA / RUNS));
  });

  test.each<readonly [string, World, number, number]>([
    ["fails always", () => ({ active: 1, former: 0 }), 0.1, 40],
    ["fails half of the time", () => ({ active: 0.5, former: 0.02 }), 0.1, 120],
    ["fails more often by three tenths", () => ({ active: 0.3, former: 0.02 }), 0.1, 400],
    [
      "fails always, and nothing worked for a while",
      (time) => (time < 100 ? { active: 1, former: 1 } : { active: 1, former: 0 }),
      0.1,
      250,
    ],
  ])("finds an active side that %s in time", (_, world, limit, steps) => {
    expect(endsOf(world, { limit, steps }).length / RUNS).toBeGreaterThan(0.9);
  });
});

/** By Python's fractions, from the formula alone. */
const ORACLE = {
  capital: [1.1910663440851035, 1.4009288982992965, 1.8786114336452429, 2.808598838877126],
  evidence: 1.8198013787266922,
};

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bestArmProbabilities } from "../../../../../server/capabilities/tuner/bandits/best-arm-probabilities.ts";

const seen = (pulls: number, sum: number) => ({ pulls, sum });
const tallies = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([pulls, mean]) => seen(pulls, pulls * mean)),
  { minLength: 1, maxLength: 5 },
);

describe("bestArmProbabilities", () => {
  test("is the integral that has a closed form", () => {
    expect(bestArmProbabilities([seen(1, 1), seen(0, 0)])[0]).toBeCloseTo(2 / 3, 12);
    expect(bestArmProbabilities([seen(1, 1), seen(1, 0)])[0]).toBeCloseTo(5 / 6, 12);
    expect(bestArmProbabilities([seen(3, 0)])).toEqual([1]);
  });

  test.each([
    [
      [seen(10_000, 9000), seen(10_000, 8950), seen(3, 3)],
      [0.5771992243132978, 0.0794579056922988, 0.3433428699943968],
    ],
    [
      [seen(1, 0.3), seen(2, 1.2), seen(6.5, 4)],
      [0.210984108781175, 0.3717887017442398, 0.4172271894745853],
    ],
  ])("agrees with SciPy's integration, %#", (arms, expected) => {
    for (const [arm, probability] of bestArmProbabilities(arms).entries())
      expect(probability).toBeCloseTo(expected[arm] ?? 0, 10);
  });

  test("adds up to 1, and favours the arm with more of the same successes", () => {
    fc.assert(
      fc.property(tallies, (arms) => {
        const probabilities = bestArmProbabilities(arms);
        expect(probabilities.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
        expect(Math.min(...probabilities)).toBeGreaterThanOrEqual(0);
        const raised = arms.map(({ pulls, sum }, arm) => (arm === 0 ? seen(pulls + 1, sum + 1) : seen(pulls, sum)));
        expect(bestArmProbabilities(raised)[0]).toBeGreaterThanOrEqual((probabilities[0] ?? 0) - 1e-12);
      }),
    );
  });
});

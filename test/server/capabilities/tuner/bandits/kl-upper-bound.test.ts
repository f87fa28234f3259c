import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bernoulliDivergence, klUpperBound } from "../../../../../server/capabilities/tuner/bandits/kl-upper-bound.ts";

test("the bound of a mean of 0 has a closed form", () => {
  expect(klUpperBound(0, Math.log(3))).toBeCloseTo(2 / 3, 15);
  expect(klUpperBound(1, 0.1)).toBe(1);
  expect(klUpperBound(0.4, Infinity)).toBe(1);
});

test("the divergence reaches the level at the bound, and the bound grows with mean and level", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(unit, unit, unit, (mean, level, more) => {
      const bound = klUpperBound(mean, level);
      expect(bound).toBeGreaterThanOrEqual(mean);
      expect(bernoulliDivergence(mean, bound)).toBeLessThanOrEqual(level);
      if (bound < 1) expect(bernoulliDivergence(mean, Math.min(1, bound + 1e-9))).toBeGreaterThan(level - 1e-6);
      expect(klUpperBound(mean, level + more)).toBeGreaterThanOrEqual(bound);
    }),
  );
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type FeaturePair,
  fitFeaturePreference,
} from "../../../../../server/capabilities/tuner/preferences/feature-preference.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";

interface Oracle {
  readonly a: readonly (readonly number[])[];
  readonly b: readonly (readonly number[])[];
  readonly y: readonly number[];
  readonly fits: Readonly<
    Record<
      string,
      { readonly w: readonly number[]; readonly loglik: number; readonly se_inv_hessian: readonly number[] }
    >
  >;
}

const oracle = readOracle("feature-preferences") as Oracle;
const FEATURES = ["short", "cited", "polite"];
const pairs = oracle.y.map((y, at): FeaturePair => {
  const [a, b] = [oracle.a[at] ?? [], oracle.b[at] ?? []];
  return y === 1 ? { preferred: a, other: b } : { preferred: b, other: a };
});
const pair = (...difference: readonly number[]): FeaturePair => ({
  preferred: difference,
  other: difference.map(() => 0),
});

describe("fitFeaturePreference", () => {
  test.each(Object.entries(oracle.fits))("has R's and the reference's weights with l2 = %s", (l2, expected) => {
    const fit = fitFeaturePreference(FEATURES, pairs, { l2: Number(l2) });
    for (const [at, { value, standardError }] of fit.weights.entries()) {
      expect(value).toBeCloseTo(expected.w[at] ?? Number.NaN, 10);
      expect(standardError).toBeCloseTo(expected.se_inv_hessian[at] ?? Number.NaN, 10);
    }
    expect(fit.logLikelihood).toBeCloseTo(expected.loglik, 10);
    expect(fit.separable).toBe(false);
  });

  test("gives a feature in another unit the weight of that unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: -30, max: 30 }), (exponent) => {
        const unit = 2 ** exponent;
        const scale = ([first = 0, ...rest]: readonly number[]) => [first * unit, ...rest];
        const scaled = pairs.map(({ preferred, other }) => ({ preferred: scale(preferred), other: scale(other) }));
        const [once, other] = [
          fitFeaturePreference(FEATURES, pairs, { l2: 0 }),
          fitFeaturePreference(FEATURES, scaled, { l2: 0 }),
        ];
        expect((other.weights[0]?.value ?? 0) * unit).toBeCloseTo(once.weights[0]?.value ?? Number.NaN, 9);
        expect(other.weights[1]?.value).toBeCloseTo(once.weights[1]?.value ?? Number.NaN, 9);
        expect(other.logLikelihood).toBeCloseTo(once.logLikelihood, 9);
      }),
    );
  });

  test("more of the same pairs leave the weights and narrow the errors", () => {
    const [once, twice] = [pairs, [...pairs, ...pairs]].map((all) => fitFeaturePreference(FEATURES, all, { l2: 0 }));
    for (const [at, { value, standardError, robustStandardError }] of (once?.weights ?? []).entries()) {
      expect(twice?.weights[at]?.value).toBeCloseTo(value, 9);
      expect((twice?.weights[at]?.standardError ?? 0) * Math.SQRT2).toBeCloseTo(standardError, 9);
      expect((twice?.weights[at]?.robustStandardError ?? 0) * Math.SQRT2).toBeCloseTo(robustStandardError, 9);
    }
  });

  test.each([
    ["wholly", [pair(1, 0.5), pair(2, -1), pair(0.5, 3)]],
    ["in part: some pairs lie on the border", [pair(1, 1), pair(0, 1), pair(0, -1), pair(3, -2)]],
    ["with one pair", [pair(1, 0), pair(0, 1)]],
    ["at a small scale", [pair(1e-6, 5e-7), pair(2e-6, -1e-6), pair(5e-7, 3e-6)]],
  ])("says that pairs can be separated, %s", (_how, separable) => {
    expect(() => fitFeaturePreference(["x", "y"], separable, { l2: 0 })).toThrow("Some weights explain every pair");
    expect(fitFeaturePreference(["x", "y"], separable, { l2: 0.1 }).separable).toBe(true);
  });

  test("says so of features that depend on each other, too", () => {
    const dependent = [pair(1, 2, 0), pair(2, 4, 0), pair(0.5, 1, 0)];
    expect(fitFeaturePreference(["x", "y", "z"], dependent, { l2: 0.1 }).separable).toBe(true);
    expect(fitFeaturePreference(["x", "y", "z"], [...dependent, pair(-1, -2, 0)], { l2: 0.1 }).separable).toBe(false);
    expect(fitFeaturePreference(["x"], [pair(0)], { l2: 0.1 }).separable).toBe(false);
  });

  test("does not take data that nearly separate for such that do", () => {
    const near = [...Array.from({ length: 200 }, () => pair(1)), pair(-1)];
    expect(fitFeaturePreference(["x"], near, { l2: 0 }).weights[0]?.value).toBeCloseTo(Math.log(200), 9);
  });

  test.each([
    [
      "dependent features",
      ["x", "y", "z"],
      [pair(1, 2, 1), pair(-1, -2, 3), pair(2, 4, -2)],
      "The features `x`, `y` depend on each other",
    ],
    [
      "a feature that never differs",
      ["x", "y"],
      [pair(1, 0), pair(-1, 0)],
      "The feature `y` is the same on both sides",
    ],
    ["no pairs", ["x"], [], "at least one pair"],
    ["no features", [], [pair()], "at least one feature"],
    ["a short side", ["x", "y"], [pair(1, 1), { preferred: [1], other: [1, 1] }], "Pair 1 must have 2 finite numbers"],
    ["a side with NaN", ["x"], [pair(Number.NaN)], "Pair 0 must have 1 finite numbers"],
  ])("refuses %s", (_what, features, some, message) => {
    expect(() => fitFeaturePreference(features, some, { l2: 0 })).toThrow(message);
  });
});

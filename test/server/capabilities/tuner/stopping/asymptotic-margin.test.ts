import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asymptoticMargin } from "../../../../../server/capabilities/tuner/stopping/asymptotic-margin.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";

interface Case {
  readonly n: number;
  readonly var: number;
  readonly alpha: number;
  readonly rho: number;
  readonly margin: number;
}

const { conf_seq: cases } = readOracle("stopping") as { readonly conf_seq: readonly Case[] };

test.each(cases)("the margin of $n samples is the reference's", ({ n, var: variance, alpha, rho, margin }) => {
  expect(asymptoticMargin(n, variance, alpha, rho)).toBeCloseTo(margin, 12);
});

test("more samples, less variance and less certainty each narrow it", () => {
  const positive = fc.double({ min: 0.01, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e5 }),
      positive,
      fc.double({ min: 0.001, max: 0.4, noNaN: true }),
      positive,
      (n, variance, alpha, rho) => {
        const margin = asymptoticMargin(n, variance, alpha, rho);
        expect(asymptoticMargin(n + 1, variance, alpha, rho)).toBeLessThan(margin);
        expect(asymptoticMargin(n, variance * 0.9, alpha, rho)).toBeLessThan(margin);
        expect(asymptoticMargin(n, variance, alpha * 1.1, rho)).toBeLessThan(margin);
      },
    ),
  );
});

test("no samples have no margin", () => {
  expect(() => asymptoticMargin(0, 1, 0.05, 0.1)).toThrow("a count above 0");
});

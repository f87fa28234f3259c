import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DRIFT_EPSILON,
  toDeviation,
  toDrift,
  toEthicalVector,
  WHOLE,
} from "../../../../tools/_lib/beliefs/ethical-vector.ts";
import { TOTAL_ENERGY } from "../../../../tools/_lib/beliefs/energy.ts";

const NODE = fc.record({
  belief: fc.integer({ min: 0, max: 10 ** 9 }).map((part) => part / 10 ** 9),
  energy: fc.bigInt({ min: 0n, max: TOTAL_ENERGY }),
});

describe("an ethical vector", () => {
  test("is all restraint without energy, and half so with one unit of it", () => {
    expect(toEthicalVector(0.7, 0n)).toEqual([0, 0, WHOLE]);
    expect(toEthicalVector(0.75, 1_000_000n)).toEqual([375e9, 125e9, WHOLE / 2]);
  });

  test("has no component below nothing or above the whole, and is off the anchor by a rounding at most", () => {
    fc.assert(
      fc.property(NODE, ({ belief, energy }) => {
        const vector = toEthicalVector(belief, energy);
        expect(vector.every((part) => Number.isInteger(part) && part >= 0 && part <= WHOLE)).toBe(true);
        expect(Math.abs(toDeviation(belief, energy))).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("of any number of nodes drifts less than the bound", () => {
    fc.assert(
      fc.property(fc.array(NODE, { minLength: 1 }), (nodes) => {
        const deviation = nodes.reduce((sum, { belief, energy }) => sum + toDeviation(belief, energy), 0);
        expect(toDrift(deviation, nodes.length)).toBeLessThan(DRIFT_EPSILON);
      }),
    );
    expect(toDrift(0, 0)).toBe(0);
    expect(toDrift(-3, 2)).toBe(1.5e-12);
  });
});

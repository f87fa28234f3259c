import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findPrecisionThreshold,
  type ScoredPair,
} from "../../../../../server/capabilities/tuner/preferences/precision-threshold.ts";

const scored = (margin: number, preferred: boolean): ScoredPair => ({ margin, preferred });
const pairs = fc.array(fc.record({ margin: fc.integer({ min: -9, max: 9 }), preferred: fc.boolean() }), {
  maxLength: 40,
});

describe("findPrecisionThreshold", () => {
  const some = [scored(3, true), scored(-2, false), scored(1, false), scored(0.5, true), scored(0, true)];

  test("is the lowest margin from which on the model is right often enough", () => {
    expect(findPrecisionThreshold(some, 1, 0.95)).toMatchObject({ threshold: 2, precision: 1, coverage: 0.4 });
    expect(findPrecisionThreshold(some, 0.7, 0.95)).toMatchObject({ threshold: 0.5, precision: 0.75, coverage: 0.8 });
    expect(findPrecisionThreshold([scored(1, false)], 0.5, 0.95)).toBeUndefined();
  });

  test("comes with Wilson's interval", () => {
    const interval = findPrecisionThreshold(some, 0.7, 0.95)?.interval;
    expect(interval?.low).toBeCloseTo(0.300_641_8, 6); // 3 of 4, as R's prop.test without correction has it
    expect(interval?.high).toBeCloseTo(0.954_412_7, 6);
  });

  test("keeps its promise, and nothing lower would", () => {
    fc.assert(
      fc.property(pairs, fc.double({ min: 0.1, max: 1, noNaN: true }), (all, target) => {
        const found = findPrecisionThreshold(all, target, 0.9);
        const precisionAt = (threshold: number) => {
          const followed = all.filter(({ margin }) => Math.abs(margin) >= threshold);
          return followed.filter(({ margin, preferred }) => margin > 0 === preferred).length / followed.length;
        };
        for (let threshold = 1; threshold < (found?.threshold ?? 10); threshold += 1) {
          const exists = all.some(({ margin }) => Math.abs(margin) === threshold);
          if (exists) expect(precisionAt(threshold)).toBeLessThan(target);
        }
        if (found !== undefined) expect(found.precision).toBe(precisionAt(found.threshold));
        expect(found?.precision ?? 1).toBeGreaterThanOrEqual(target);
      }),
    );
  });

  test("refuses what is no share and no margin", () => {
    expect(() => findPrecisionThreshold([], 1.1, 0.9)).toThrow("The target `1.1`");
    expect(() => findPrecisionThreshold([scored(Number.NaN, true)], 0.9, 0.9)).toThrow("Every margin");
  });
});

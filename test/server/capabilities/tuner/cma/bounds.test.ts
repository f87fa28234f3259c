import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, fromUnit, MARGIN, toUnit } from "../../../../../server/capabilities/tuner/cma/bounds.ts";

const anywhere = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe("the way into the unit interval", () => {
  test("is the identity between the margins", () => {
    for (const x of [MARGIN, 0.3, 0.5, 1 - MARGIN]) expect(toUnit(x)).toBe(x);
  });

  test("meets the bounds in the middle of its bend", () => {
    expect([toUnit(-MARGIN), toUnit(1 + MARGIN)]).toEqual([0, 1]);
    expect(toUnit(0)).toBeCloseTo(MARGIN / 4, 15);
  });

  test("ends within the interval from anywhere", () => {
    fc.assert(
      fc.property(anywhere, (x) => {
        expect(toUnit(x)).toBeGreaterThanOrEqual(0);
        expect(toUnit(x)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("has no jumps and no slope above 1", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 0.01, noNaN: true }),
        (x, by) => {
          expect(Math.abs(toUnit(x + by) - toUnit(x))).toBeLessThanOrEqual(by + 1e-12);
        },
      ),
    );
  });

  test("is undone between its bends", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (unit) => {
        expect(toUnit(fromUnit(unit))).toBeCloseTo(unit, 12);
      }),
    );
  });

  test("repeats itself, mirrored at each end", () => {
    expect(fold(1.15)).toEqual({ x: expect.closeTo(0.95, 12), slope: -1 });
    expect(fold(2.5)).toEqual({ x: expect.closeTo(0.3, 12), slope: 1 });
    expect(fold(-0.2)).toEqual({ x: expect.closeTo(0.1, 12), slope: -1 });
  });
});

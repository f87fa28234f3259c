import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areMultiples, areWhole, isCommon } from "../../../../server/semver/schemas/bounds.ts";
import { TOPS } from "../../../../server/semver/schemas/shape.ts";

const takes = (value: number, of: number) => Number.isInteger(value / of);
const steps = fc.constantFrom(
  0.5,
  0.25,
  0.75,
  1,
  1.5,
  2,
  2.5,
  3,
  5,
  6,
  7,
  10,
  0.1,
  0.2,
  0.3,
  0.05,
  0.01,
  0.001,
  0.07,
  0.7,
);
const times = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.maxSafeInteger());
/** Doubles at, and right beside, multiples. */
const near = (value: number) => {
  const beside = Math.abs(value) * Number.EPSILON;
  return [value, value + beside, value - beside, value + beside / 2, value - beside / 2];
};

describe("steps", () => {
  it("of decimals are finer ones of exact ones", () => {
    expect([areMultiples(0.5, 0.1), areMultiples(1, 0.01), areMultiples(0.1, 0.5), areMultiples(0.25, 0.1)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("have no multiple that the validators do not take", () => {
    fc.assert(
      fc.property(steps, steps, times, (own, of, count) => {
        const values = near(own * count).filter((value) => takes(value, own));
        if (areMultiples(own, of))
          expect(
            values.filter((value) => !takes(value, of)),
            `${own} in ${of}`,
          ).toEqual([]);
        const shape = { ...TOPS.number, multiples: [own] };
        if (areWhole(shape)) expect(values.every(Number.isInteger)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it("have a common one where doubles tell its multiples apart", () => {
    const at = (limit: number) => ({ at: limit, exclusive: false });
    const both = { ...TOPS.number, multiples: [4, 6], min: at(-1e6), max: at(1e6) };
    const without = { ...both, multiples: [] };
    const answers = [isCommon(both, 12), isCommon(both, 24), isCommon({ ...both, max: at(Infinity) }, 12)];
    expect([...answers, isCommon(without, 1)]).toEqual([true, false, false, false]);
  });
});

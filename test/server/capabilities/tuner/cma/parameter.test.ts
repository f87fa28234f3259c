import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assertParameter,
  findCell,
  toPosition,
  toValue,
  type CmaParameter,
} from "../../../../../server/capabilities/tuner/cma/parameter.ts";

const integer: CmaParameter = { name: "top_k", low: 1, high: 4, scale: "linear", step: 1 };
const temperature: CmaParameter = { name: "temperature", low: 0, high: 1.5, scale: "linear", step: 0.05 };
const rate: CmaParameter = { name: "rate", low: 1e-4, high: 1, scale: "log", step: null };
const size: CmaParameter = { name: "size", low: 1, high: 64, scale: "log", step: 1 };

describe("a parameter", () => {
  test("gives each of its steps an equal share", () => {
    const counts = new Map<number, number>();
    for (let i = 0; i < 400; i += 1) {
      const value = toValue(integer, (i + 0.5) / 400);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts]).toEqual([
      [1, 100],
      [2, 100],
      [3, 100],
      [4, 100],
    ]);
  });

  test("has values without the noise of rounding", () => {
    expect(toValue(temperature, toPosition(temperature, 0.15))).toBe(0.15);
    expect([toValue(temperature, 0), toValue(temperature, 1)]).toEqual([0, 1.5]);
  });

  test("has the geometric mean in the middle of a log scale", () => {
    expect(toValue(rate, 0.5)).toBeCloseTo(1e-2, 12);
    expect([toValue(rate, 0), toValue(rate, 1)]).toEqual([1e-4, expect.closeTo(1, 12)]);
  });

  test.each([integer, temperature, rate, size])("$name finds its values again", (parameter) => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (unit) => {
        const value = toValue(parameter, unit);
        expect(value).toBeGreaterThanOrEqual(parameter.low);
        expect(value).toBeLessThanOrEqual(parameter.high);
        expect(toValue(parameter, toPosition(parameter, value))).toBeCloseTo(value, 10);
      }),
    );
  });

  test.each([integer, temperature, size])("$name has the same value in the whole of a cell", (parameter) => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -0.499, max: 0.499, noNaN: true }),
        (unit, by) => {
          const cell = findCell(parameter, unit);
          expect(toValue(parameter, (cell?.centre ?? 0) + by * (cell?.width ?? 0))).toBe(toValue(parameter, unit));
        },
      ),
    );
  });

  test("without steps has no cells", () => {
    expect(findCell(rate, 0.5)).toBeUndefined();
  });

  test.each([
    [{ ...integer, low: 5 }, "bounds"],
    [{ ...integer, high: Number.POSITIVE_INFINITY }, "bounds"],
    [{ ...rate, low: 0 }, "lower bound above 0"],
    [{ ...integer, step: 0 }, "step above 0"],
    [{ ...integer, step: 4 }, "step above 0"],
  ] satisfies [CmaParameter, string][])("is refused: %j", (parameter, problem) => {
    expect(() => assertParameter(parameter)).toThrow(problem);
  });
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { alignDecimals, readDecimal, toNumber } from "../../../../tools/_lib/decisions/decimal.ts";

const number = fc.double({ noNaN: true, noDefaultInfinity: true });

test("reads a number as it is written", () => {
  expect(readDecimal(0.1)).toEqual({ digits: 1n, scale: 1 });
  expect(readDecimal(-12.5)).toEqual({ digits: -125n, scale: 1 });
  expect(readDecimal(1e21)).toEqual({ digits: 10n ** 21n, scale: 0 });
  expect(readDecimal(1.5e-7)).toEqual({ digits: 15n, scale: 8 });
  expect(readDecimal(-0)).toEqual({ digits: 0n, scale: 0 });
});

test("gives every number back as it was", () => {
  fc.assert(fc.property(number, (value) => toNumber(readDecimal(value)) === value));
});

test("brings numbers to one scale without changing them", () => {
  expect(alignDecimals([1, 0.25, -3.5])).toEqual({ digits: [100n, 25n, -350n], scale: 2 });
});

test("rounds a quotient to the nearest number", () => {
  expect(toNumber({ digits: 230n, scale: 0 }, 3n)).toBe(230 / 3);
  expect(toNumber({ digits: -1n, scale: 1 }, 7n)).toBe(-1 / 70);
});

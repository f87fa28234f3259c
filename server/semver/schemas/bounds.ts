import type { Bound, NumberShape } from "./shape.ts";

/** Checks that a lower bound admits fewer values than another. */
export function isAbove(one: Bound, other: Bound): boolean {
  return one.at > other.at || (one.at === other.at && one.exclusive && !other.exclusive);
}

/** Checks that an upper bound admits fewer values than another. */
export function isBelow(one: Bound, other: Bound): boolean {
  return one.at < other.at || (one.at === other.at && one.exclusive && !other.exclusive);
}

export function isWithin(value: number, { min, max }: NumberShape): boolean {
  return (min.exclusive ? value > min.at : value >= min.at) && (max.exclusive ? value < max.at : value <= max.at);
}

/** Bounds of whole numbers, moved to the next ones; not where doubles are too coarse to name those. */
export function tighten(shape: NumberShape): NumberShape {
  if (!shape.integer) return shape;
  const { min, max } = shape;
  return {
    ...shape,
    min: Number.isSafeInteger(Math.floor(min.at))
      ? { at: min.exclusive ? Math.floor(min.at) + 1 : Math.ceil(min.at), exclusive: false }
      : min,
    max: Number.isSafeInteger(Math.ceil(max.at))
      ? { at: max.exclusive ? Math.ceil(max.at) - 1 : Math.floor(max.at), exclusive: false }
      : max,
  };
}

/** As the validators divide; undefined where binary fractions leave it open, or the quotient is beyond all numbers. */
export function isMultiple(value: number, of: number): boolean | undefined {
  const quotient = value / of;
  if (!Number.isFinite(quotient)) return undefined;
  if (Number.isInteger(quotient)) return true;
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 ? undefined : false;
}

/** Checks that every multiple of `own` is one of `of`, despite the rounding of doubles. */
export function areMultiples(own: number, of: number): boolean {
  if (own === of) return true;
  const isExact = Number.isInteger(of) || Number.isInteger(Math.log2(of));
  return isExact ? Number.isInteger(own / of) : areDecimals(own, of);
}

/**
 * Checks that all values of which a validator takes multiples are whole numbers: a double divided by a whole number is one
 * after rounding only if it is a multiple.
 */
export function areWhole({ integer, multiples }: NumberShape): boolean {
  return integer || multiples.some(Number.isInteger);
}

/** Checks that a number is a multiple of the least common one of several whole ones, where doubles tell them apart. */
export function isCommon({ min, max, multiples }: NumberShape, of: number): boolean {
  if (!Number.isSafeInteger(of) || Math.max(Math.abs(min.at), Math.abs(max.at)) > Number.MAX_SAFE_INTEGER) return false;
  const whole = multiples.filter(Number.isSafeInteger).map(BigInt);
  const common = whole.reduce((one, other) => (one * other) / divisor(one, other), 1n);
  return whole.length > 1 && common % BigInt(of) === 0n;
}

function divisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : divisor(other, one % other);
}

/** Bits after the binary point that steps are looked at with, and of a relative error that rounding makes good. */
const [SCALE, PRECISION] = [80, 54n];

/**
 * Checks a decimal step, such as 0.1 for multiples of 0.5. The multiples of `own` have to be exact, and `of` so near to
 * its decimal that each quotient is rounded to the whole number that it stands for.
 */
function areDecimals(own: number, of: number): boolean {
  const [one, other] = [readDecimal(own), readDecimal(of)];
  const scaled = of * 2 ** SCALE;
  if (one === undefined || other === undefined || !Number.isInteger(own * 2 ** 20) || !Number.isInteger(scaled)) {
    return false;
  }
  if ((one.digits * other.unit) % (other.digits * one.unit) !== 0n) return false;
  const exact = other.digits << BigInt(SCALE);
  const error = BigInt(scaled) * other.unit - exact;
  return (error < 0n ? -error : error) << PRECISION <= exact;
}

/** Reads `0.25` as 25 hundredths; undefined where it is written with an exponent. */
function readDecimal(value: number): { readonly digits: bigint; readonly unit: bigint } | undefined {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  return whole === undefined ? undefined : { digits: BigInt(whole + fraction), unit: 10n ** BigInt(fraction.length) };
}

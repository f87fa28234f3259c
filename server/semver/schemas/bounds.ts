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
  return isExact && Number.isInteger(own / of);
}

/** `digits` times ten to the power of minus `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Digits of a quotient before it becomes a number, which has 17 at most. */
const QUOTIENT_DIGITS = 40;

/** A number as it is written: 0.1 is one tenth here, and not the double next to it. */
export function readDecimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** The digits of all values at the one scale that has room for each. */
export function alignDecimals(values: readonly number[]): {
  readonly digits: readonly bigint[];
  readonly scale: number;
} {
  const decimals = values.map(readDecimal);
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale));
  return { digits: decimals.map((decimal) => decimal.digits * 10n ** BigInt(scale - decimal.scale)), scale };
}

/** The double nearest to the decimal divided by `divisor`. */
export function toNumber({ digits, scale }: Decimal, divisor = 1n): number {
  if (divisor === 1n) return Number(`${digits}e-${scale}`);
  const quotient = (digits * 10n ** BigInt(QUOTIENT_DIGITS)) / divisor;
  return Number(`${quotient}e-${scale + QUOTIENT_DIGITS}`);
}

import type { Context } from "../../../server/host-api.ts";

type Fail = Context["fail"];

const U64_MAX = 2n ** 64n - 1n;
const U64_DIGITS = 20;

/** A number within bounds, and 0 for -0; BAD_REQUEST names the field. */
export function readNumber(fail: Fail, name: string, value: number, min: number, max: number): number {
  if (Number.isFinite(value) && value >= min && value <= max) return value + 0;
  throw fail("BAD_REQUEST", `\`${name}\` must be a number from ${min} to ${max}.`);
}

/** A node's number from its decimal digits, as far as u64 goes; BAD_REQUEST names the field. */
export function readNodeId(fail: Fail, name: string, value: string): bigint {
  // In two steps: one expression for both would try every way to part the zeros of a long wrong text.
  const digits = /^\d+$/.test(value) ? value.replace(/^0+(?=\d)/, "") : "";
  const id = digits !== "" && digits.length <= U64_DIGITS ? BigInt(digits) : undefined;
  if (id !== undefined && id <= U64_MAX) return id;
  throw fail("BAD_REQUEST", `\`${name}\` must be a whole number from 0 to ${U64_MAX} in decimal digits.`);
}

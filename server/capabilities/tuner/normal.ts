import { log } from "./elementary.ts";
import { uniformAt } from "./uniform.ts";

const CELLS = 0x10_0000_0000_0000; // 2^52

/**
 * Draw `index` of the stream `key`: standard normal. The first 52 bits of the same digest as `uniformAt` choose a cell
 * of (0, 1), whose middle goes through the quantile function, so a draw is finite and the distribution symmetric.
 */
export function normalAt(key: string, index: number): number {
  return normalQuantile((Math.floor(uniformAt(key, index) * CELLS) + 0.5) / CELLS);
}

/**
 * The standard normal's quantile of `p`, to about one part in 10^16: Wichura, Algorithm AS 241 (PPND16), Applied
 * Statistics 37 (1988). 0 and 1 give -Infinity and Infinity.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(0.180625 - q * q, CENTRE);
  const tail = Math.sqrt(-log(q < 0 ? p : 1 - p));
  if (tail === Infinity) return q < 0 ? -Infinity : Infinity;
  const magnitude = tail <= 5 ? ratio(tail - 1.6, MIDDLE) : ratio(tail - 5, FAR);
  return q < 0 ? -magnitude : magnitude;
}

/** Coefficients of a numerator and of a denominator, from the highest power down, in their shortest form. */
type Rational = readonly [numerator: readonly number[], denominator: readonly number[]];

/** For |p - 1/2| <= 0.425. */
const CENTRE: Rational = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
];
/** For sqrt(-ln(tail)) <= 5. */
const MIDDLE: Rational = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
];
/** For the tails beyond. */
const FAR: Rational = [
  [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
];

function ratio(x: number, [numerator, denominator]: Rational): number {
  return polynomial(x, numerator) / polynomial(x, denominator);
}

function polynomial(x: number, coefficients: readonly number[]): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}

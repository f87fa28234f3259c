/**
 * `exp` and `log` from additions, multiplications and divisions alone, which IEEE 754 fixes to the last bit. What `Math.exp`
 * and `Math.log` give may differ in it between engines and processors, and a state replayed elsewhere must be the same.
 */

/** ln 2 in two parts: the first has so few bits that small multiples of it are exact. */
const LN2_HIGH = 0.69314718036912381649;
const LN2_LOW = 1.90821492927058770002e-10;
/** Beyond these, a double is infinite or zero. */
const OVERFLOW = 709.782712893384;
const UNDERFLOW = -745.1332191019412;
const EXP_TERMS = 14;
const LOG_TERMS = 12;

/** e^x, to about one part in 10^16. */
export function exp(x: number): number {
  if (x > OVERFLOW) return Infinity;
  if (x < UNDERFLOW) return 0;
  const power = Math.round(x / Math.LN2);
  const rest = x - power * LN2_HIGH - power * LN2_LOW;
  let value = 1;
  for (let term = EXP_TERMS; term > 0; term -= 1) value = 1 + (value * rest) / term;
  return scale(value, power);
}

/** The natural logarithm of x > 0, to about one part in 10^16; -Infinity for 0, NaN below. */
export function log(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : Number.NaN;
  let [mantissa, power] = [x, 0];
  for (; mantissa > Math.SQRT2; power += 1) mantissa /= 2;
  for (; mantissa < Math.SQRT1_2; power -= 1) mantissa *= 2;
  // ln m = 2 artanh s, s = (m - 1) / (m + 1)
  const s = (mantissa - 1) / (mantissa + 1);
  let series = 0;
  for (let term = LOG_TERMS; term > 0; term -= 1) series = s * s * (series + 1 / (2 * term + 1));
  return power * LN2_HIGH + (2 * s * (1 + series) + power * LN2_LOW);
}

/** value * 2^power. */
function scale(value: number, power: number): number {
  let scaled = value;
  for (let i = 0; i < power; i += 1) scaled *= 2;
  for (let i = 0; i > power; i -= 1) scaled /= 2;
  return scaled;
}

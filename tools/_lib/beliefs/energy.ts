/**
 * Energy is counted in whole millionths, so that it can be moved without a rounding that would make or lose any. All there
 * ever is, is 10^15: what no node holds is in the reservoir, from which creation takes and to which consumption returns.
 */
export const PARTS = 1_000_000n;
export const TOTAL_ENERGY = 10n ** 15n * PARTS;

/** The nearest whole number of millionths; `energy` is finite and at least 0. */
export function toParts(energy: number): bigint {
  const whole = Math.trunc(energy);
  // A number's fraction is exact, as its product with a million would not be.
  return BigInt(whole) * PARTS + BigInt(Math.round((energy - whole) * Number(PARTS)));
}

/** As a number, rounded once where it has no exact one. */
export function toEnergy(parts: bigint): number {
  return Number(`${parts / PARTS}.${String(parts % PARTS).padStart(6, "0")}`);
}

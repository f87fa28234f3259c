import { PARTS } from "./energy.ts";

/** The anchor: the components of every vector are shares of one whole, in billionths of a thousandth. */
export const WHOLE = 1_000_000_000_000;
export const DRIFT_EPSILON = 1e-6;

/**
 * The ethical state vector of a node: support for what it believes, dissent from it, and restraint, each in parts of
 * `WHOLE`. With the share s = energy / (energy + 1) that it throws in, they are belief * s, (1 - belief) * s and 1 - s.
 * The anchor is the plane on which they add up to one: nobody counts for more than one, and doubt counts, too.
 */
export type EthicalVector = readonly [support: number, dissent: number, restraint: number];

/** `energy` in millionths. */
export function toEthicalVector(belief: number, energy: bigint): EthicalVector {
  const share = Number((energy * BigInt(WHOLE)) / (energy + PARTS));
  return [Math.round(belief * share), Math.round((1 - belief) * share), WHOLE - share];
}

/** How far a vector is off the anchor, in parts of `WHOLE` and with its sign; rounding makes it -1, 0 or 1. */
export function toDeviation(belief: number, energy: bigint): number {
  const [support, dissent, restraint] = toEthicalVector(belief, energy);
  return support + dissent + restraint - WHOLE;
}

/** The distance from the anchor of the mean of `nodes` vectors, whose deviations add up to `deviation`. */
export function toDrift(deviation: number, nodes: number): number {
  return nodes === 0 ? 0 : Math.abs(deviation) / nodes / WHOLE;
}

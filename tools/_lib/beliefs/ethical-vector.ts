import { PARTS } from "./energy.ts";

/** The components of every vector are shares of one whole, in billionths of a thousandth. */
export const WHOLE = 1_000_000_000_000;
export const DRIFT_EPSILON = 1e-6;

/**
 * The ethical state vector of a node: support for what it believes, dissent from it, and restraint, each in parts of
 * `WHOLE`. With the share s = energy / (energy + 1) that it throws in, they are belief * s, (1 - belief) * s and 1 - s.
 * They add up to one: nobody counts for more than one, and doubt counts, too.
 */
export type EthicalVector = readonly [support: number, dissent: number, restraint: number];

/** `energy` in millionths. */
export function toEthicalVector(belief: number, energy: bigint): EthicalVector {
  const share = Number((energy * BigInt(WHOLE)) / (energy + PARTS));
  return [Math.round(belief * share), Math.round((1 - belief) * share), WHOLE - share];
}

/**
 * Measures the drift of a node from its anchor, from 0 to 1: the largest difference, in any component, between the vector
 * after its last mutation and the one that follows from its present values. 1 for values that no mutation makes. Nodes
 * from before anchors were kept have none: they drift only when no mutation makes their values.
 */
export function toNodeDrift({
  belief,
  energy,
  anchor,
}: {
  belief: number;
  energy: bigint;
  anchor?: EthicalVector | undefined;
}) {
  if (!(belief >= 0 && belief <= 1) || energy < 0n) return 1;
  const vector = toEthicalVector(belief, energy);
  const distances = vector.map((part, at) => Math.abs(part - (anchor?.[at] ?? part)));
  return Math.min(1, Math.max(...distances) / WHOLE);
}

/** Returns the deviation of a vector's sum from one, in parts of `WHOLE` and with its sign; rounding makes it -1, 0 or 1. */
export function toDeviation(belief: number, energy: bigint): number {
  const [support, dissent, restraint] = toEthicalVector(belief, energy);
  return support + dissent + restraint - WHOLE;
}

/** Returns the distance of the mean of `nodes` vectors from one, whose deviations add up to `deviation`. */
export function toDrift(deviation: number, nodes: number): number {
  return nodes === 0 ? 0 : Math.abs(deviation) / nodes / WHOLE;
}

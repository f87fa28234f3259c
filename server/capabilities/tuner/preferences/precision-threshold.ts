import { CairnError } from "../../../errors.ts";
import { normalQuantile } from "../normal.ts";
import type { Interval } from "../stopping/interval.ts";

/** A pair as a fitted model sees it: `margin` is w . (a - b), and `preferred` says whether a was the preferred one. */
export interface ScoredPair {
  readonly margin: number;
  readonly preferred: boolean;
}

export interface PrecisionThreshold {
  /** The model is followed where its margin is at least this far from 0. */
  readonly threshold: number;
  /** Frequency of right predictions there, with Wilson's interval (1927). */
  readonly precision: number;
  readonly interval: Interval;
  /** In what share of all pairs it is followed. */
  readonly coverage: number;
}

/**
 * The smallest threshold at which following the model is right at least `target` of the time, or nothing when it never
 * is. A margin of 0 decides nothing and is never followed. Give it pairs that the model was not fitted to.
 */
export function findPrecisionThreshold(
  pairs: readonly ScoredPair[],
  target: number,
  level: number,
): PrecisionThreshold | undefined {
  if (!(target > 0 && target <= 1 && level > 0 && level < 1)) {
    throw new CairnError(
      "BAD_REQUEST",
      `The target \`${target}\` and the level \`${level}\` must lie between 0 and 1.`,
    );
  }
  if (!pairs.every(({ margin }) => Number.isFinite(margin))) {
    throw new CairnError("BAD_REQUEST", "Every margin must be a finite number.");
  }
  const sorted = pairs
    .map(({ margin, preferred }) => ({ distance: Math.abs(margin), right: margin > 0 === preferred }))
    .filter(({ distance }) => distance > 0)
    .sort((left, right) => right.distance - left.distance);
  let found: PrecisionThreshold | undefined;
  let right = 0;
  for (const [place, pair] of sorted.entries()) {
    if (pair.right) right += 1;
    const count = place + 1;
    // Pairs of one distance are followed together or not at all.
    if (sorted[count]?.distance === pair.distance || right / count < target) continue;
    const interval = wilsonInterval(right, count, normalQuantile((1 + level) / 2));
    found = { threshold: pair.distance, precision: right / count, interval, coverage: count / pairs.length };
  }
  return found;
}

function wilsonInterval(successes: number, count: number, quantile: number): Interval {
  const share = successes / count;
  const square = quantile * quantile;
  const centre = (share + square / (2 * count)) / (1 + square / count);
  const spread = Math.sqrt((share * (1 - share)) / count + square / (4 * count * count));
  const margin = (quantile * spread) / (1 + square / count);
  return { low: Math.max(0, centre - margin), high: Math.min(1, centre + margin) };
}

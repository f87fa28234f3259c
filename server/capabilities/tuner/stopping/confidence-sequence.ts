import { CairnError } from "../../../errors.ts";
import { log } from "../elementary.ts";
import type { Interval } from "./interval.ts";

/** Plain JSON: all that the sequence keeps of the values it has seen, and the interval they leave. */
export interface ConfidenceSequence extends Interval {
  readonly algorithm: "empirical-bernstein@1";
  /** The chance that the mean ever leaves the interval. */
  readonly alpha: number;
  readonly count: number;
  readonly sum: number;
  /** Squared distances of each value from the mean of those up to it. */
  readonly squares: number;
  readonly bets: number;
  readonly weightedSum: number;
  readonly penalty: number;
}

/** Bets beyond this lose what they win in theory to the penalty of single values. */
const LARGEST_BET = 0.5;

/** Knows nothing yet: the mean lies between 0 and 1. */
export function createConfidenceSequence(alpha: number): ConfidenceSequence {
  if (!(alpha > 0 && alpha < 1)) {
    throw new CairnError("BAD_REQUEST", `\`alpha\` is \`${alpha}\`; it must lie between 0 and 1.`);
  }
  const sums = { count: 0, sum: 0, squares: 0, bets: 0, weightedSum: 0, penalty: 0 };
  return { algorithm: "empirical-bernstein@1", alpha, ...sums, low: 0, high: 1 };
}

/**
 * The sequence after one more value in [0, 1]. The interval holds the mean at every sample size at once with probability
 * 1 - alpha, whatever the distribution, so one may look after each value and stop when one likes; it never widens.
 *
 * This is the predictable plug-in empirical-Bernstein sequence (Waudby-Smith and Ramdas 2024, "Estimating means of
 * bounded random variables by betting", theorem 2), intersected with all intervals before.
 */
export function extendConfidenceSequence(before: ConfidenceSequence, value: number): ConfidenceSequence {
  if (!(value >= 0 && value <= 1)) {
    throw new CairnError("BAD_REQUEST", `The value is \`${value}\`; it must lie between 0 and 1.`);
  }
  const wager = log(2 / before.alpha);
  const count = before.count + 1;
  const previousMean = (0.5 + before.sum) / count;
  const previousVariance = (0.25 + before.squares) / count;
  const bet = Math.min(LARGEST_BET, Math.sqrt((2 * wager) / (previousVariance * count * log(1 + count))));
  const surprise = value - previousMean;
  const sum = before.sum + value;
  const distance = value - (0.5 + sum) / (count + 1);
  const squares = before.squares + distance * distance;
  const bets = before.bets + bet;
  const weightedSum = before.weightedSum + bet * value;
  const penalty = before.penalty + surprise * surprise * (-log(1 - bet) - bet);
  const centre = weightedSum / bets;
  const margin = (wager + penalty) / bets;
  const low = Math.max(before.low, centre - margin);
  const high = Math.min(before.high, centre + margin);
  return { ...before, count, sum, squares, bets, weightedSum, penalty, low, high };
}

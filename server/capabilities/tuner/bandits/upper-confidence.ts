import type { Arm, Bandit } from "./bandit.ts";
import type { Strategy } from "./strategy.ts";

/** The strategies that pull the arm with the highest index. */
export type IndexStrategy = Exclude<Strategy, { readonly kind: "thompson" }>;

/** Assumed mean of an arm that is pulled but unrewarded while no arm has a reward. */
const UNKNOWN_MEAN = 0.5;

/**
 * The index of every arm, in declared order; `null` for one of which the strategy remembers nothing and nothing is on
 * its way, which is pulled before any other.
 *
 * A pending pull counts as a pull in the bonus but not in the mean, so that a batch spreads over arms; an arm with
 * pending pulls only has the mean of all rewards.
 */
export function toIndices(strategy: IndexStrategy, { arms }: Bandit): (number | null)[] {
  let rewarded = 0;
  let sum = 0;
  let pulls = 0;
  for (const { recent, pending } of arms) {
    rewarded += recent.pulls;
    sum += recent.sum;
    pulls += recent.pulls + pending;
  }
  // Discounted pulls can add up to less than one, whose logarithm would turn the bonus into a root of a negative.
  const log = Math.max(0, Math.log(pulls));
  const pooled = rewarded === 0 ? UNKNOWN_MEAN : sum / rewarded;
  return arms.map((arm) => (arm.recent.pulls + arm.pending === 0 ? null : indexOf(strategy, arm, log, pooled)));
}

function indexOf(strategy: IndexStrategy, { recent, pending }: Arm, log: number, pooled: number): number {
  const pulls = recent.pulls + pending;
  const mean = recent.pulls === 0 ? pooled : recent.sum / recent.pulls;
  switch (strategy.kind) {
    case "ucb1":
      return mean + Math.sqrt((strategy.c * log) / pulls);
    case "ucb1_tuned": {
      const variance = recent.pulls === 0 ? 0 : Math.max(0, recent.sumOfSquares / recent.pulls - mean * mean);
      return mean + Math.sqrt((log / pulls) * Math.min(0.25, variance + Math.sqrt((2 * log) / pulls)));
    }
    case "kl_ucb":
      return klUpperBound(mean, log / pulls);
    case "sw_ucb":
      return mean + Math.sqrt((strategy.xi * log) / pulls);
    case "d_ucb":
      return mean + 2 * Math.sqrt((strategy.xi * log) / pulls);
  }
}

/**
 * The largest q in [mean, 1] whose Bernoulli divergence kl(mean, q), in nats, is at most `level`. By bisection down to
 * neighbouring doubles, so every machine finds the same one.
 */
export function klUpperBound(mean: number, level: number): number {
  let low = mean;
  let high = 1;
  if (bernoulliDivergence(mean, high) <= level) return high;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    if (bernoulliDivergence(mean, middle) <= level) low = middle;
    else high = middle;
  }
}

/** kl(p, q) in nats of Bernoulli distributions; 0 ln 0 is 0. */
export function bernoulliDivergence(p: number, q: number): number {
  return part(p, q) + part(1 - p, 1 - q);
}

function part(p: number, q: number): number {
  if (p === 0) return 0;
  return q === 0 ? Infinity : p * Math.log(p / q);
}

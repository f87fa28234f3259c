import { CairnError } from "../../../errors.ts";
import { normalQuantile } from "../normal.ts";

/** One logged choice, seen from the strategy that is to be judged (the target). */
export interface LoggedChoice {
  readonly reward: number;
  /** With what probability the arm was pulled that was pulled, as logged then. */
  readonly propensity: number;
  /** With what probability the target would have pulled that arm. */
  readonly target: number;
  /** Reward that a model expected of that arm. */
  readonly predicted: number;
  /** Reward that the model expected of the target: its predictions of all arms, weighed by the target's probabilities. */
  readonly predictedOfTarget: number;
}

export interface Estimate {
  readonly value: number;
  /** `null` with a single choice, of which no spread can be seen. */
  readonly standardError: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface OffPolicyEstimates {
  /** Inverse propensity scoring: unbiased, and as noisy as the weights are uneven. */
  readonly ips: Estimate;
  /** Self-normalised: a little bias for much less noise, and no dependence on where rewards have their zero. */
  readonly snips: Estimate;
  /** With weights of at most `clip`: biased towards 0 by what is cut off. */
  readonly clipped: Estimate;
  /** The model's word alone. */
  readonly directMethod: Estimate;
  /** The model, corrected where it was wrong: unbiased if either the model or the propensities are right. */
  readonly doublyRobust: Estimate;
  /** As many choices by the target itself would tell about as much. */
  readonly effectiveSampleSize: number;
}

/**
 * Estimates the mean reward that the target strategy would have earned, from the log of another one (Horvitz and Thompson
 * 1952; Dudik, Langford and Li 2011; Swaminathan and Joachims 2015). Intervals are normal ones of the given level, so
 * they need some tens of effective samples.
 */
export function estimateOffPolicy(
  choices: readonly LoggedChoice[],
  { clip, level }: { readonly clip: number; readonly level: number },
): OffPolicyEstimates {
  assertLog(choices, clip, level);
  const weights = choices.map(({ target, propensity }) => target / propensity);
  const rewards = choices.map(({ reward }) => reward);
  const total = sumOf(weights);
  if (total === 0) {
    throw new CairnError(
      "UNPROCESSABLE",
      "The target strategy never makes a choice that was logged, so the log says nothing of it.",
    );
  }
  const quantile = normalQuantile((1 + level) / 2);
  const of = (term: (choice: LoggedChoice, weight: number) => number) =>
    meanOf(
      choices.map((choice, place) => term(choice, weights[place] ?? 0)),
      quantile,
    );
  return {
    ips: of(({ reward }, weight) => weight * reward),
    snips: ratioOf(weights, rewards, total, quantile),
    clipped: of(({ reward }, weight) => Math.min(clip, weight) * reward),
    directMethod: of(({ predictedOfTarget }) => predictedOfTarget),
    doublyRobust: of(
      ({ reward, predicted, predictedOfTarget }, weight) => predictedOfTarget + weight * (reward - predicted),
    ),
    effectiveSampleSize: (total * total) / sumOf(weights.map((weight) => weight * weight)),
  };
}

function meanOf(terms: readonly number[], quantile: number): Estimate {
  const value = sumOf(terms) / terms.length;
  if (terms.length === 1) return { value, standardError: null, low: null, high: null };
  const squares = sumOf(terms.map((term) => (term - value) * (term - value)));
  return around(value, Math.sqrt(squares / (terms.length - 1) / terms.length), quantile);
}

/** A ratio of sums, with the standard error of the delta method. */
function ratioOf(weights: readonly number[], rewards: readonly number[], total: number, quantile: number): Estimate {
  const value = sumOf(weights.map((weight, place) => weight * (rewards[place] ?? 0))) / total;
  if (weights.length === 1) return { value, standardError: null, low: null, high: null };
  const residuals = weights.map((weight, place) => weight * ((rewards[place] ?? 0) - value));
  return around(value, Math.sqrt(sumOf(residuals.map((residual) => residual * residual))) / total, quantile);
}

function around(value: number, standardError: number, quantile: number): Estimate {
  return { value, standardError, low: value - quantile * standardError, high: value + quantile * standardError };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function assertLog(choices: readonly LoggedChoice[], clip: number, level: number): void {
  if (choices.length === 0) throw new CairnError("BAD_REQUEST", "An estimate needs at least one logged choice.");
  if (!(clip > 0)) throw new CairnError("BAD_REQUEST", `\`clip\` is \`${clip}\`; it must be above 0.`);
  if (!(level > 0 && level < 1)) {
    throw new CairnError("BAD_REQUEST", `\`level\` is \`${level}\`; it must lie between 0 and 1.`);
  }
  for (const [place, { reward, propensity, target, predicted, predictedOfTarget }] of choices.entries()) {
    if (!(propensity > 0 && propensity <= 1)) {
      throw new CairnError(
        "BAD_REQUEST",
        `Choice ${place} has propensity \`${propensity}\`; it must be above 0 and at most 1.`,
      );
    }
    if (!(target >= 0 && target <= 1)) {
      throw new CairnError(
        "BAD_REQUEST",
        `Choice ${place} has target probability \`${target}\`; it must lie between 0 and 1.`,
      );
    }
    if (![reward, predicted, predictedOfTarget].every(Number.isFinite)) {
      throw new CairnError("BAD_REQUEST", `The reward and the predictions of choice ${place} must be finite numbers.`);
    }
  }
}

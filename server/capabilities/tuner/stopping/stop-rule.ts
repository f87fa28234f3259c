import { CairnError } from "../../../errors.ts";
import { log } from "../elementary.ts";
import type { Interval } from "./interval.ts";

/** Summary of an arm's rewards, in any unit that all arms and `epsilon` share. */
export interface ArmSummary {
  readonly id: string;
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

export interface StopRule {
  /** Largest probability of naming a wrong winner. */
  readonly delta: number;
  /** Means this close to the best are as good as it. */
  readonly epsilon: number;
  readonly minSamplesPerArm: number;
  /** Number of samples of every arm at which the experiment ends without a winner. */
  readonly maxSamplesPerArm: number;
  /** The arm to keep as long as none has been shown to be better. */
  readonly baseline?: string;
}

export interface Verdict {
  readonly stop: boolean;
  readonly reason: "winner" | "max_samples" | "too_few_samples" | "undecided";
  /** The arm to go on with once stopped: the winner, or else the baseline, or else the leader. */
  readonly keep?: string;
  /** The arm with the highest mean; the first declared of several. */
  readonly leader: string;
  /** The statistic against each arm, in declared order; `null` for the leader and while an arm has no samples. */
  readonly ratios: readonly (number | null)[];
  /** Threshold of the smallest ratio; `null` while there is no sample. */
  readonly threshold: number | null;
}

/** Two arms whose every reward was the same would otherwise be told apart by their first difference in rounding. */
const VARIANCE_FLOOR = 1e-12;

/**
 * Chernoff's stopping rule on generalised likelihood ratios of Gaussian rewards (Garivier and Kaufmann 2016, "Optimal
 * best arm identification with fixed confidence"): with leader b, stop when for every other arm i
 *
 *     max(0, m_b - m_i + epsilon)^2 / (2 (v_b / n_b + v_i / n_i))  >  ln((1 + ln t) / delta),    t = sum of n_i.
 *
 * The threshold is the paper's practical one; its error rate was seen, not proven, to stay below delta.
 */
export function evaluateStopRule(rule: StopRule, arms: readonly ArmSummary[]): Verdict {
  assertRule(rule, arms);
  const [first] = arms;
  if (first === undefined) throw new CairnError("BAD_REQUEST", "A stop rule needs at least one arm.");
  const sampled = arms.filter(({ count }) => count > 0);
  const leader = sampled.reduce((best, arm) => (arm.mean > best.mean ? arm : best), sampled[0] ?? first);
  const ratios = arms.map((arm) => (arm === leader || arm.count === 0 ? null : ratioOf(leader, arm, rule.epsilon)));
  const total = arms.reduce((sum, { count }) => sum + count, 0);
  const threshold = total === 0 ? null : log((1 + log(total)) / rule.delta);
  const found = { leader: leader.id, ratios, threshold };
  if (threshold === null || arms.some(({ count }) => count < Math.max(1, rule.minSamplesPerArm))) {
    return { stop: false, reason: "too_few_samples", ...found };
  }
  if (ratios.every((ratio) => ratio === null || ratio > threshold)) {
    return { stop: true, reason: "winner", keep: leader.id, ...found };
  }
  if (arms.every(({ count }) => count >= rule.maxSamplesPerArm)) {
    return { stop: true, reason: "max_samples", keep: rule.baseline ?? leader.id, ...found };
  }
  return { stop: false, reason: "undecided", ...found };
}

/** By how much the leader's mean is above another arm's, and between which values that lies. */
export interface Lead extends Interval {
  readonly by: number;
}

/**
 * The leads over each arm, in declared order; `null` for the leader and while an arm has no samples. They say what the verdict
 * does: the lowest that a lead may be is above -epsilon just when its ratio is above the threshold.
 */
export function toLeads({ leader, threshold }: Verdict, arms: readonly ArmSummary[]): readonly (Lead | null)[] {
  const first = arms.find(({ id }) => id === leader);
  return arms.map((arm) => {
    if (first === undefined || arm === first || threshold === null || first.count * arm.count === 0) return null;
    const by = first.mean - arm.mean;
    const margin = Math.sqrt(2 * spreadOf(first, arm) * threshold);
    return { by, low: by - margin, high: by + margin };
  });
}

function ratioOf(leader: ArmSummary, arm: ArmSummary, epsilon: number): number {
  const gap = Math.max(0, leader.mean - arm.mean + epsilon);
  return (gap * gap) / (2 * spreadOf(leader, arm));
}

function spreadOf(one: ArmSummary, other: ArmSummary): number {
  return Math.max(VARIANCE_FLOOR, one.variance) / one.count + Math.max(VARIANCE_FLOOR, other.variance) / other.count;
}

function assertRule(rule: StopRule, arms: readonly ArmSummary[]): void {
  if (!(rule.delta > 0 && rule.delta < 1)) {
    throw new CairnError("BAD_REQUEST", `\`delta\` is \`${rule.delta}\`; it must lie between 0 and 1.`);
  }
  if (!(rule.epsilon >= 0 && rule.epsilon < Infinity)) {
    throw new CairnError("BAD_REQUEST", `\`epsilon\` is \`${rule.epsilon}\`; it must be 0 or more.`);
  }
  if (rule.baseline !== undefined && !arms.some(({ id }) => id === rule.baseline)) {
    throw new CairnError("BAD_REQUEST", `The baseline \`${rule.baseline}\` is none of the arms.`);
  }
  for (const { id, count, mean, variance } of arms) {
    if (count >= 0 && (count === 0 || (Number.isFinite(mean) && variance >= 0 && variance < Infinity))) continue;
    throw new CairnError(
      "BAD_REQUEST",
      `Arm \`${id}\` has count \`${count}\`, mean \`${mean}\` and variance \`${variance}\`; these must be finite, count and variance at least 0.`,
    );
  }
}

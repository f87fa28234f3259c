import { canonicalJson } from "../../../json/canonical-json.ts";
import { unscaleReward } from "../bandits/scale-reward.ts";
import { createComparison, evidenceOf, extendComparison, type Side } from "../stopping/comparison.ts";
import { createConfidenceSequence, extendConfidenceSequence } from "../stopping/confidence-sequence.ts";
import { goBack } from "./active-values.ts";
import type { TunedSet } from "./tuned-set.ts";
import { type Active, createWatch, type Trial, type TuningState, type Watched } from "./tuning-state.ts";
import type { Given } from "./values.ts";

/** Calls, or rewards, after which the recent part of what is watched begins anew. */
const STRETCH = 200;
/** Pairs after which a trial that has found nothing ends. */
const TRIAL_PAIRS = 500;
/** Of the conversations while a trial is under way: those that are given what would be gone back to. */
export const TRIAL_SHARE = 0.5;

/** Finds the values that the guardrail would go back to, while they are compared with the active ones. */
export function onTrial({ guard, former }: TuningState): Active | undefined {
  return guard.trial === null ? undefined : former.at(-1);
}

/** Records for a call that began at `at` that it failed (1) or not (0). */
export function watchOutcome(
  set: TunedSet,
  state: TuningState,
  given: Given & { readonly at: number },
  failed: 0 | 1,
): TuningState {
  const failures = isActive(state, given) ? watch(state.guard.failures, failed) : state.guard.failures;
  const watched = { ...state, guard: { ...state.guard, failures } };
  return check(set, compare(watched, "failures", given, given.at, failed));
}

/** Records the reward of a conversation that began at `assignedAt`. */
export function watchReward(
  set: TunedSet,
  state: TuningState,
  given: Given & { readonly scaled: number; readonly assignedAt: number },
): TuningState {
  const { guard } = state;
  const { scaled, assignedAt } = given;
  const baseline = isDefault(set, state, given) ? extendConfidenceSequence(guard.baseline, scaled) : guard.baseline;
  const rewards = isActive(state, given) ? watch(guard.rewards, scaled) : guard.rewards;
  const watched = { ...state, guard: { ...guard, baseline, rewards } };
  return check(set, compare(watched, "rewards", given, assignedAt, 1 - scaled));
}

function watch({ whole, recent, stretch }: Watched, value: number): Watched {
  const extended = extendConfidenceSequence(whole, value);
  if (recent.count < STRETCH) return { whole: extended, recent: extendConfidenceSequence(recent, value), stretch };
  // The chances of all stretches, 1 / (k (k + 1)), add up to 1.
  const next = stretch + 1;
  const fresh = createConfidenceSequence(whole.alpha / (next * (next + 1)));
  return { whole: extended, recent: extendConfidenceSequence(fresh, value), stretch: next };
}

function compare(state: TuningState, about: Trial["about"], given: Given, at: number, harm: number): TuningState {
  const { trial } = state.guard;
  const side = sideOf(state, given);
  if (trial === null || trial.about !== about || side === undefined || at < trial.at) return state;
  const comparison = extendComparison(trial.comparison, side, harm);
  return { ...state, guard: { ...state.guard, trial: { ...trial, comparison } } };
}

function sideOf(state: TuningState, given: Given): Side | undefined {
  if (isActive(state, given)) return "active";
  const { arm } = state.former.at(-1) ?? {};
  return given.former === true || (arm !== undefined && given.arm === arm) ? "former" : undefined;
}

function isActive({ active }: TuningState, { arm, candidate, former }: Given): boolean {
  return candidate === undefined && former === undefined && arm === active.arm;
}

function isDefault({ experiment }: TunedSet, { active, former }: TuningState, given: Given): boolean {
  if (given.arm !== undefined) return given.arm === experiment.baseline;
  if (given.candidate !== undefined) return false;
  return (given.former === true ? former.at(-1) : active)?.why === "default";
}

/**
 * Puts what is active on trial when it looks worse than it may be, ends a trial that has gone on for long enough, and goes back
 * when one has shown that what would be gone back to does better at the same time.
 */
function check(set: TunedSet, state: TuningState): TuningState {
  const { active, guard, former, seq, clock, rules } = state;
  const limits = limitsOf(set);
  if (limits === undefined || former.length === 0 || active.why === "default") return state;
  const { trial } = guard;
  if (trial === null) {
    const about = findSuspicion(limits, state);
    if (about === undefined) return state;
    if (rules === 1) return takeBack(set, state, about);
    const comparison = createComparison(Math.min(1, limits[about]));
    return {
      ...state,
      guard: { ...guard, trials: guard.trials + 1, trial: { about, since: seq, at: clock, comparison } },
    };
  }
  if (evidenceOf(trial.comparison) >= thresholdOf(state)) return takeBack(set, state, trial.about);
  if (trial.comparison.pairs < TRIAL_PAIRS) return state;
  // Both do equally badly. What was known before is no measure of the time that they are in.
  const { trials, breach, barred, baseline } = guard;
  const fresh = createWatch(baseline.alpha);
  return {
    ...state,
    guard: { ...fresh, baseline: trial.about === "rewards" ? fresh.baseline : baseline, trials, breach, barred },
  };
}

/**
 * Returns the threshold of a trial's evidence. The chances of a mistake in all trials of one set of values, 1 / (k (k +
 * 1)), add up to delta.
 */
export function thresholdOf({ guard: { trials, baseline } }: TuningState): number {
  return (trials * (trials + 1)) / baseline.alpha;
}

/** By how much more calls may fail, and by how much less be earned on [0, 1]; endless where the manifest does not say. */
function limitsOf({
  experiment: { guardrail, reward },
}: TunedSet): Readonly<Record<Trial["about"], number>> | undefined {
  if (guardrail === undefined) return undefined;
  const { maxErrorRate = Infinity, maxDrop = Infinity } = guardrail;
  return { failures: maxErrorRate, rewards: maxDrop / (reward.range[1] - reward.range[0]) };
}

function findSuspicion(
  limits: Readonly<Record<Trial["about"], number>>,
  { guard: { failures, rewards, baseline } }: TuningState,
): Trial["about"] | undefined {
  if (Math.max(failures.whole.low, failures.recent.low) > limits.failures) return "failures";
  if (Math.min(rewards.whole.high, rewards.recent.high) < baseline.low - limits.rewards) return "rewards";
  return undefined;
}

/** Takes the active values back and bars them from automatic promotion. */
function takeBack(set: TunedSet, state: TuningState, about: Trial["about"]): TuningState {
  const { active, guard } = state;
  const breach = toBreach(set, state, about);
  const barred = active.arm === undefined ? guard.barred : [...guard.barred, active.arm];
  const back = goBack(state, { why: "guardrail" });
  return { ...back, guard: { ...back.guard, breach, barred } };
}

function toBreach({ experiment }: TunedSet, state: TuningState, about: Trial["about"]): string {
  const { active, guard, former } = state;
  const { maxErrorRate, maxDrop } = experiment.guardrail ?? {};
  const name = nameOf(active);
  if (guard.trial === null) {
    const failures = Math.max(guard.failures.whole.low, guard.failures.recent.low);
    return about === "failures"
      ? `${name} fails more often than ${maxErrorRate}: at least ${round(failures)} of its calls.`
      : `${name} earns less than the defaults by more than ${maxDrop}.`;
  }
  const other = `${nameOf(former.at(-1))}, which was given at the same time,`;
  const { seen } = guard.trial.comparison;
  if (about === "failures") {
    const [one, two] = [seen.active, seen.former].map(({ count, sum }) => `${sum} of ${count}`);
    return `${name} fails more often than ${other} by more than ${maxErrorRate}: ${one} calls against ${two}.`;
  }
  const [one, two] = [seen.active, seen.former].map(({ count, sum }) =>
    round(unscaleReward(experiment.reward, 1 - sum / count)),
  );
  return `${name} earns less than ${other} by more than ${maxDrop}: ${one} against ${two}.`;
}

function nameOf(values: Active | undefined): string {
  return `\`${values?.arm ?? canonicalJson(values?.values ?? {})}\``;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

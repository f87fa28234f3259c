import { canonicalJson } from "../../canonical-json.ts";
import { createConfidenceSequence, extendConfidenceSequence } from "../stopping/confidence-sequence.ts";
import type { TunedSet } from "./tuned-set.ts";
import { type Active, createWatched, type TuningState, type Watched } from "./tuning-state.ts";

/** Former values that can be gone back to. */
const FORMER_LIMIT = 16;

/** Calls, or rewards, after which the recent part of what is watched begins anew. */
const STRETCH = 200;

interface Given {
  readonly arm?: string;
  readonly candidate?: string;
}

/** Makes other values active; what is watched of them begins anew. */
export function activate(state: TuningState, next: Omit<Active, "since">): TuningState {
  const fresh = createWatched(2 * state.guard.rewards.whole.alpha);
  return {
    ...state,
    active: { ...next, since: state.seq },
    former: [...state.former, state.active].slice(-FORMER_LIMIT),
    guard: { ...state.guard, failures: fresh, rewards: fresh },
  };
}

/** Whether a call with the active values failed (1) or not (0). */
export function watchOutcome(set: TunedSet, state: TuningState, given: Given, failed: 0 | 1): TuningState {
  if (!isActive(state, given)) return state;
  const failures = watch(state.guard.failures, failed);
  return checkActive(set, { ...state, guard: { ...state.guard, failures } });
}

/** What the active values, and the defaults, earned. */
export function watchReward(
  set: TunedSet,
  state: TuningState,
  given: Given & { readonly scaled: number },
): TuningState {
  const { guard, active } = state;
  const isDefault =
    given.arm === undefined
      ? given.candidate === undefined && active.why === "default"
      : given.arm === set.experiment.baseline;
  const baseline = isDefault ? extendConfidenceSequence(guard.baseline, given.scaled) : guard.baseline;
  const rewards = isActive(state, given) ? watch(guard.rewards, given.scaled) : guard.rewards;
  return checkActive(set, { ...state, guard: { ...guard, baseline, rewards } });
}

function watch({ whole, recent, stretch }: Watched, value: number): Watched {
  const extended = extendConfidenceSequence(whole, value);
  if (recent.count < STRETCH) return { whole: extended, recent: extendConfidenceSequence(recent, value), stretch };
  // The chances of all stretches, 1 / (k (k + 1)), add up to 1.
  const next = stretch + 1;
  const fresh = createConfidenceSequence(whole.alpha / (next * (next + 1)));
  return { whole: extended, recent: extendConfidenceSequence(fresh, value), stretch: next };
}

function isActive({ active }: TuningState, { arm, candidate }: Given): boolean {
  return candidate === undefined && arm === active.arm;
}

/** Goes back to what was active before, by itself, when the guardrail says so; what failed is not promoted by itself again. */
function checkActive(set: TunedSet, state: TuningState): TuningState {
  const { guardrail, reward } = set.experiment;
  const { active, guard, former } = state;
  const last = former.at(-1);
  if (guardrail === undefined || last === undefined || active.why === "default") return state;
  const { maxErrorRate, maxDrop } = guardrail;
  const drop = maxDrop === undefined ? undefined : maxDrop / (reward.range[1] - reward.range[0]);
  const failures = Math.max(guard.failures.whole.low, guard.failures.recent.low);
  const failing = maxErrorRate !== undefined && failures > maxErrorRate;
  const reached = Math.min(guard.rewards.whole.high, guard.rewards.recent.high);
  const losing = drop !== undefined && reached < guard.baseline.low - drop;
  if (!failing && !losing) return state;
  const name = active.arm ?? canonicalJson(active.values);
  const breach = failing
    ? `\`${name}\` fails more often than ${maxErrorRate}: at least ${round(failures)} of its calls.`
    : `\`${name}\` earns less than the defaults by more than ${maxDrop}.`;
  const { values, arm } = last;
  const back = activate(state, { values, ...(arm === undefined ? {} : { arm }), why: "guardrail" });
  const barred = active.arm === undefined ? guard.barred : [...guard.barred, active.arm];
  return { ...back, former: former.slice(0, -1), guard: { ...back.guard, breach, barred } };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

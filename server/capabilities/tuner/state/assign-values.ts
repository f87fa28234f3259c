import type { Bandit } from "../bandits/bandit.ts";
import { toPropensities } from "../bandits/choose-arm.ts";
import { toValues } from "../cma/cost.ts";
import { uniformAt } from "../uniform.ts";
import { openCandidates } from "./candidates.ts";
import { onTrial, TRIAL_SHARE } from "./guardrail.ts";
import { isBandit } from "./learn.ts";
import { countWaiting } from "./pending-pulls.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { Given, Propensities, Values } from "./values.ts";
import type { TuningState } from "./tuning-state.ts";

/** By which probabilities that add up to 1 may miss it. */
const ROUNDING = 1e-9;

/** Values of a conversation, with the probabilities of all alternatives. */
export interface Assignment extends Given {
  /** By arm; they add up to 1. Absent where there are no arms. */
  readonly propensities?: Propensities;
  /** The last event of the log that the decision knew of. The conversation's id and the propensities decide the arm. */
  readonly seq: number;
  readonly values: Values;
}

/**
 * The values for a conversation, or whatever else `id` names: a share of them is given what staging decides, the others
 * what is active, and while that is on trial, half of all are given what was active before. The same state and id give the same
 * values.
 */
export function assignValues(
  set: TunedSet,
  state: TuningState,
  id: string,
  share = set.experiment.exploration.share,
): Assignment {
  const { learner, seq, active } = state;
  const { experiment, seed, name } = set;
  const before = onTrial(state);
  if (before !== undefined && before.arm === undefined && drawOf(set, id, "former") < TRIAL_SHARE) {
    return { former: true, seq, values: sorted(before.values) };
  }
  if (learner.kind === "bandit" && (state.stopped === null || before?.arm !== undefined)) {
    const shares = armShares(set, state, learner.bandit, share);
    const arm = experiment.arms[pick(shares, assignmentDraw(seed, name, id)) ?? -1];
    if (arm !== undefined) {
      const propensities = Object.fromEntries(experiment.arms.map((one, index) => [one.name, shares[index] ?? 0]));
      return { arm: arm.name, propensities, seq, values: sorted(arm.values) };
    }
  }
  if (learner.kind === "evolution" && state.stopped === null) {
    const draw = assignmentDraw(seed, name, id);
    const { current } = openCandidates(learner.search);
    if (draw < share && current.length > 0) {
      const waiting = countWaiting(state.waiting);
      const fewest = Math.min(...current.map((candidate) => waiting[candidate.id] ?? 0));
      const least = current.filter((candidate) => (waiting[candidate.id] ?? 0) === fewest);
      const chosen = least[Math.floor(drawOf(set, id, "candidate") * least.length)];
      if (chosen !== undefined) {
        return { candidate: chosen.id, seq, values: sorted(toValues(learner.search.settings, chosen.x)) };
      }
    }
  }
  return {
    ...(active.arm === undefined ? {} : { arm: active.arm }),
    ...certainly(active.arm),
    seq,
    values: sorted(active.values),
  };
}

/**
 * With what probability each arm is given: staging's choice with its share, and the active one with the rest; once the experiment
 * has stopped, the active one alone; and on trial half of it all to what was active before. They add up to less than 1 where what
 * is active is none of the arms.
 */
export function armShares(
  { experiment }: TunedSet,
  state: TuningState,
  bandit: Bandit,
  share: number,
): readonly number[] {
  const { strategy, exploration, stop, arms } = experiment;
  if (!isBandit(strategy)) return [];
  const explored = state.stopped === null ? share : 0;
  const limits = { minProbability: exploration.floor, minSamplesPerArm: stop?.minSamples ?? 1 };
  const chosen = explored === 0 ? [] : toPropensities(strategy, limits, bandit);
  const before = onTrial(state)?.arm;
  const kept = before === undefined ? 1 : 1 - TRIAL_SHARE;
  return arms.map(
    ({ name }, index) =>
      kept * (explored * (chosen[index] ?? 0) + (name === state.active.arm ? 1 - explored : 0)) +
      (name === before ? 1 - kept : 0),
  );
}

/** A draw of its own for one purpose. */
function drawOf({ seed, name }: TunedSet, id: string, purpose: string): number {
  return uniformAt(JSON.stringify([seed, name, id, purpose]), 0);
}

/** The place that the draw falls on; undefined where it falls beyond all of them. */
function pick(shares: readonly number[], draw: number): number | undefined {
  let reached = 0;
  let last: number | undefined;
  for (const [index, share] of shares.entries()) {
    reached += share;
    if (draw < reached) return index;
    if (share > 0) last = index;
  }
  return reached > 1 - ROUNDING ? last : undefined;
}

function certainly(arm: string | undefined) {
  return arm === undefined ? {} : { propensities: { [arm]: 1 } };
}

function sorted(values: Values): Values {
  return Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The draw that decides a conversation's arm: always the same one, so a conversation that comes back while the
 * propensities stand keeps its arm, and anyone can check an assignment. The key is the JSON array of the three, which
 * keeps experiments of one conversation independent of each other.
 */
export function assignmentDraw(seed: string, experiment: string, conversationId: string): number {
  return uniformAt(JSON.stringify([seed, experiment, conversationId]), 0);
}

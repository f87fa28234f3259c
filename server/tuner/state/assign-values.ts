import { assignmentDraw } from "../bandits/assignment-draw.ts";
import type { Bandit } from "../bandits/bandit.ts";
import { toPropensities } from "../bandits/choose-arm.ts";
import { toValues } from "../cma/cost.ts";
import { uniformAt } from "../uniform.ts";
import { openCandidates } from "./candidates.ts";
import { isBandit } from "./learn.ts";
import { countWaiting } from "./pending-pulls.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { Values } from "./tuning-event.ts";
import type { TuningState } from "./tuning-state.ts";

/** What a conversation is given, and with what probability it could have been given something else. */
export interface Assignment {
  readonly arm?: string;
  readonly candidate?: string;
  /** By arm; they add up to 1. Absent where there are no arms. */
  readonly propensities?: Readonly<Record<string, number>>;
  /** The last event of the log that the decision knew of. The conversation's id and the propensities decide the arm. */
  readonly seq: number;
  readonly values: Values;
}

/**
 * The values for a conversation, or whatever else `id` names: a share of them is given what staging decides, the others
 * what is active. The same state and id give the same values.
 */
export function assignValues(
  set: TunedSet,
  state: TuningState,
  id: string,
  share = set.experiment.exploration.share,
): Assignment {
  const { learner, seq, active } = state;
  const { experiment, seed, name } = set;
  if (learner.kind === "bandit" && state.stopped === null) {
    const shares = armShares(set, state, learner.bandit, share);
    const draw = assignmentDraw(seed, name, id);
    const place = pick(shares, draw);
    const arm = experiment.arms[place];
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
      const chosen = least[Math.floor(uniformAt(JSON.stringify([seed, name, id, "candidate"]), 0) * least.length)];
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

/** With what probability each arm is given: staging's choice with its share, and the active one with the rest. */
export function armShares(
  { experiment }: TunedSet,
  { active }: TuningState,
  bandit: Bandit,
  share: number,
): readonly number[] {
  const { strategy, exploration, stop, arms } = experiment;
  if (!isBandit(strategy)) return [];
  const floor = exploration.floor;
  const chosen = toPropensities(strategy, { minProbability: floor, minSamplesPerArm: stop?.minSamples ?? 1 }, bandit);
  return arms.map(({ name }, index) => share * (chosen[index] ?? 0) + (name === active.arm ? 1 - share : 0));
}

function pick(shares: readonly number[], draw: number): number {
  let reached = 0;
  let last = 0;
  for (const [index, share] of shares.entries()) {
    reached += share;
    if (draw < reached) return index;
    if (share > 0) last = index;
  }
  return last; // rounding left a sliver at the end
}

function certainly(arm: string | undefined) {
  return arm === undefined ? {} : { propensities: { [arm]: 1 } };
}

function sorted(values: Values): Values {
  return Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
}

import { type Bandit, type Arm } from "../bandits/bandit.ts";
import { rewardArm } from "../bandits/reward-arm.ts";
import { cmaConstants } from "../cma/constants.ts";
import type { CmaSearch } from "../cma/search.ts";
import { closeGeneration, tell } from "../cma/tell.ts";
import type { BanditStrategy, Strategy } from "../../../versions/experiment.ts";
import { openAll, openCandidates } from "./candidates.ts";
import type { TunedSet } from "./tuned-set.ts";
import type { Learner, TuningState } from "./tuning-state.ts";

/** Learns from a reward about its arm or candidate. */
export function learnReward(
  { experiment: { strategy } }: TunedSet,
  state: TuningState,
  { arm, candidate, scaled }: { readonly arm?: string; readonly candidate?: string; readonly scaled: number },
): TuningState {
  if (candidate !== undefined) return learnResult(state, candidate, scaled, state.clock);
  const { learner } = state;
  if (learner.kind !== "bandit" || arm === undefined || !isBandit(strategy)) return state;
  // The pull that this is the reward of: whether it was still waited for is settled elsewhere.
  const pulled = changePending(learner.bandit, arm, 1);
  return { ...state, learner: { kind: "bandit", bandit: rewardArm(strategy, pulled, arm, scaled) } };
}

/** Learns from the result of a candidate; null when it failed. The first result counts, later ones change nothing. */
export function learnResult(state: TuningState, candidate: string, scaled: number | null, at: number): TuningState {
  const { learner } = state;
  if (learner.kind !== "evolution" || !isWaitedFor(learner.search, candidate)) return state;
  const result = scaled === null ? ({ failed: true } as const) : { value: scaled };
  return { ...state, learner: openAll(tell(learner.search, candidate, result), learner.openedAt, at) };
}

/** A generation whose missing results will not come closes without them, once half of it is there. */
export function closeLate(learner: Learner, deadline: number, at: number): Learner {
  if (learner.kind !== "evolution") return learner;
  if (learner.openedAt === 0) return { ...learner, openedAt: at };
  if (at - learner.openedAt <= deadline) return learner;
  const { search } = learner;
  const { open, run } = search;
  if (open === null || run === null) return learner;
  const { mu } = cmaConstants(run.distribution.mean.length, run.lambda);
  const told = open.candidates.filter(({ outcome }) => outcome !== null).length;
  return told < mu ? learner : openAll(closeGeneration(search), learner.openedAt, at);
}

export function changePending(bandit: Bandit, arm: string, by: number): Bandit {
  const change = (one: Arm) => (one.id === arm ? { ...one, pending: Math.max(0, one.pending + by) } : one);
  return { ...bandit, arms: bandit.arms.map(change) };
}

export function isBandit(strategy: Strategy): strategy is BanditStrategy {
  return strategy.kind !== "cma_es" && strategy.kind !== "preference";
}

function isWaitedFor(search: CmaSearch, id: string): boolean {
  const { current, late } = openCandidates(search);
  return [...current, ...late].some((candidate) => candidate.id === id);
}

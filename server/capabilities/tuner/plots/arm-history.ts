import { armShares } from "../state/assign-values.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import type { TuningEvent } from "../state/tuning-event.ts";
import type { TuningState } from "../state/tuning-state.ts";
import {
  type ConfidenceSequence,
  createConfidenceSequence,
  extendConfidenceSequence,
} from "../stopping/confidence-sequence.ts";
import { createThinned, offer, type Thinned } from "./thinned.ts";

/** History of an experiment's arms; its size depends only on the number of arms. */
export interface ArmHistory {
  /** In declared order. */
  readonly tallies: readonly ArmTally[];
  readonly weighing: Weighing;
  readonly series: Thinned<ArmMoment>;
}

interface ArmTally {
  /** Conversations that were given the arm. */
  readonly assigned: number;
  /** Of the rewards, on [0, 1]. */
  readonly sequence: ConfidenceSequence;
  /** Sum of 1 / propensity, and of its square, over the conversations. */
  readonly weight: number;
  readonly squares: number;
}

/** Selection of the assignments whose propensities are computed, the slowest part: each of the first, fewer later. */
interface Weighing {
  readonly seen: number;
  readonly weighed: number;
  readonly stride: number;
}

/** Knowledge at one event. Rewards are on [0, 1], where 1 is best. */
export interface ArmMoment {
  readonly assigned: number;
  readonly rewarded: number;
  /** In declared order. */
  readonly arms: readonly ArmFigures[];
}

export interface ArmFigures {
  readonly assigned: number;
  readonly rewards: number;
  readonly sum: number;
  /** The mean lies between these at all times at once. */
  readonly low: number;
  readonly high: number;
  /** With which the next conversation would be given the arm. */
  readonly propensity: number;
  /** Kish's effective sample size of the arm's conversations, weighted by 1 / propensity. */
  readonly effective: number;
}

/** The chance that a band ever misses its mean, where no stop rule says how sure one wants to be. */
export const DEFAULT_ALPHA = 0.05;
/** Assignments weighed before every second one is left out. */
const WEIGHED_AT_STRIDE = 250;
/** Thompson's propensities are integrals, which take milliseconds with 8 arms and a third of a second with 64. */
const THOMPSON_ARMS = 8;

export function createArmHistory({ experiment: { arms, stop } }: TunedSet): ArmHistory {
  const sequence = createConfidenceSequence(stop?.delta ?? DEFAULT_ALPHA);
  return {
    tallies: arms.map(() => ({ assigned: 0, sequence, weight: 0, squares: 0 })),
    weighing: { seen: 0, weighed: 0, stride: 1 },
    series: createThinned(),
  };
}

/** `before` and `after` are the states around the event. */
export function extendArmHistory(
  set: TunedSet,
  history: ArmHistory,
  { event, before, after }: { readonly event: TuningEvent; readonly before: TuningState; readonly after: TuningState },
): ArmHistory {
  if (!("arm" in event) || event.kind === "promoted") return history;
  const place = set.experiment.arms.findIndex(({ name }) => name === event.arm);
  if (place === -1) return history;
  const isReward = event.kind === "rewarded" || event.kind === "observed";
  const next = isReward
    ? { ...history, tallies: changeAt(history.tallies, place, (tally) => reward(tally, event.scaled)) }
    : assign(set, history, place, before);
  return { ...next, series: offer(next.series, () => toArmMoment(set, next, after)) };
}

/** Checks that propensities can be computed fast enough; otherwise they are left out. */
export function hasPropensities({ experiment: { strategy, arms } }: TunedSet): boolean {
  return strategy.kind !== "thompson" || arms.length <= THOMPSON_ARMS;
}

/** Summarises the present knowledge. */
export function toArmMoment(set: TunedSet, { tallies }: ArmHistory, state: TuningState): ArmMoment {
  const propensities = propensitiesOf(set, state);
  const arms = tallies.map(({ assigned, sequence, weight, squares }, place): ArmFigures => {
    const { count, sum, low, high } = sequence;
    const effective = squares === 0 ? 0 : Math.min(assigned, (weight * weight) / squares);
    return { assigned, rewards: count, sum, low, high, propensity: propensities[place] ?? 0, effective };
  });
  const total = (of: (figures: ArmFigures) => number) => arms.reduce((sum, figures) => sum + of(figures), 0);
  return { assigned: total(({ assigned }) => assigned), rewarded: total(({ rewards }) => rewards), arms };
}

function reward(tally: ArmTally, scaled: number): ArmTally {
  return { ...tally, sequence: extendConfidenceSequence(tally.sequence, scaled) };
}

function assign(
  set: TunedSet,
  { tallies, weighing, series }: ArmHistory,
  place: number,
  before: TuningState,
): ArmHistory {
  const { seen, weighed, stride } = weighing;
  const isWeighed = seen % stride === 0;
  const propensity = isWeighed ? (propensitiesOf(set, before)[place] ?? 0) : 0;
  // Stands for as many assignments as are passed over. Nothing can be learnt from one that was not to be.
  const weight = propensity > 0 ? 1 / propensity : 0;
  const isFull = isWeighed && weighed + 1 === WEIGHED_AT_STRIDE;
  return {
    series,
    weighing: {
      seen: seen + 1,
      weighed: isFull ? 0 : weighed + Number(isWeighed),
      stride: isFull ? stride * 2 : stride,
    },
    tallies: changeAt(tallies, place, (tally) => ({
      ...tally,
      assigned: tally.assigned + 1,
      weight: tally.weight + stride * weight,
      squares: tally.squares + stride * weight * weight,
    })),
  };
}

function propensitiesOf(set: TunedSet, state: TuningState): readonly number[] {
  if (!hasPropensities(set) || state.learner.kind !== "bandit") return [];
  return armShares(set, state, state.learner.bandit, set.experiment.exploration.share);
}

function changeAt<Item>(items: readonly Item[], place: number, change: (item: Item) => Item): Item[] {
  return items.map((item, index) => (index === place ? change(item) : item));
}

import type { TunedSet } from "../state/tuned-set.ts";
import type { TuningEvent } from "../state/tuning-event.ts";

/** Histogram of the times from conversations to their rewards. */
export interface RewardDelays {
  /** By sixteenths of the deadline. */
  readonly arrived: readonly number[];
  /** After the deadline. */
  readonly late: number;
}

/** The slices in which the waiting are counted, too. */
export const DELAY_SLICES = 16;

export function createRewardDelays(): RewardDelays {
  return { arrived: Array.from({ length: DELAY_SLICES }, () => 0), late: 0 };
}

export function extendRewardDelays(set: TunedSet, delays: RewardDelays, event: TuningEvent): RewardDelays {
  if (event.kind !== "rewarded") return delays;
  const share = Math.max(0, event.at - event.assignedAt) / (set.experiment.reward.deadline * 1000);
  if (share > 1) return { ...delays, late: delays.late + 1 };
  const slice = sliceOf(share);
  return { ...delays, arrived: delays.arrived.map((count, place) => (place === slice ? count + 1 : count)) };
}

/** Finds the slice of a time, given as a share of the deadline. */
export function sliceOf(share: number): number {
  return Math.min(DELAY_SLICES - 1, Math.max(0, Math.floor(share * DELAY_SLICES)));
}

import type { TunedSet } from "../state/tuned-set.ts";

export type RewardRange = Pick<TunedSet["experiment"]["reward"], "range" | "optimize">;

/** Converts a reward on [0, 1], where 1 is best, to its own unit. */
export function toRewardUnit({ range: [least, most], optimize }: RewardRange, scaled: number): number {
  return optimize === "max" ? least + scaled * (most - least) : most - scaled * (most - least);
}

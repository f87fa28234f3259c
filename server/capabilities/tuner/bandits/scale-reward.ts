import { CairnError } from "../../../errors.ts";

export interface RewardScale {
  /** The lowest and the highest value a reward can have, in its own unit. */
  readonly range: readonly [low: number, high: number];
  /** Direction of the rewards: high values are best, or low ones. */
  readonly optimize: "max" | "min";
  readonly outOfRange: "reject" | "clip";
}

/** The unit of a reward, and which end of it is best. */
export type RewardUnit = Omit<RewardScale, "outOfRange">;

/** The reward on [0, 1], where 1 is best. A value that is no number is refused whatever `outOfRange` says. */
export function scaleReward({ range: [low, high], optimize, outOfRange }: RewardScale, value: number): number {
  if (!(high > low && Number.isFinite(high - low))) {
    throw new CairnError(
      "BAD_REQUEST",
      `The range of the reward, \`${low}\` to \`${high}\`, must go upwards and be finite.`,
    );
  }
  if (!Number.isFinite(value)) throw new CairnError("BAD_REQUEST", `The reward is \`${value}\`; it must be a number.`);
  if (outOfRange === "reject" && (value < low || value > high)) {
    throw new CairnError("BAD_REQUEST", `The reward is \`${value}\`; it must lie between \`${low}\` and \`${high}\`.`);
  }
  const share = (Math.min(high, Math.max(low, value)) - low) / (high - low);
  return optimize === "max" ? share : 1 - share;
}

/** From [0, 1], where 1 is best, back to the reward's own unit. */
export function unscaleReward({ range: [low, high], optimize }: RewardUnit, share: number): number {
  return optimize === "max" ? low + share * (high - low) : high - share * (high - low);
}

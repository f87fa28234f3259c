import type { Bandit } from "../bandits/bandit.ts";
import { asymptoticMargin } from "../stopping/asymptotic-margin.ts";
import { summariseArm } from "../stopping/summarise-arm.ts";
import type { TunedSet } from "../state/tuned-set.ts";
import { unscaleReward } from "../bandits/scale-reward.ts";

/** Probability that an arm's interval ever leaves out its mean. */
const INTERVAL_ALPHA = 0.05;
/** Rewards at which an interval is tightest for what it promises. */
const TIGHTEST_AT = 100;
/** Waudby-Smith et al. 2021, equation 24. */
const RHO = Math.sqrt((-2 * Math.log(INTERVAL_ALPHA) + Math.log(1 - 2 * Math.log(INTERVAL_ALPHA))) / TIGHTEST_AT);

export interface ArmReport {
  readonly arm: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
  /** Rewards it had, failed calls included, which count as the worst. */
  readonly rewards: number;
  /** Pulls whose reward may still come. */
  readonly pending: number;
  /** Mean reward in its own unit; null without rewards. */
  readonly mean: number | null;
  /** A confidence sequence: it may be looked at after every reward. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** Reports each arm, in declared order. */
export function toArmReports({ experiment }: TunedSet, { arms }: Bandit): readonly ArmReport[] {
  return arms.map((arm) => {
    const { count, mean, variance } = summariseArm(arm);
    const values = experiment.arms.find(({ name }) => name === arm.id)?.values ?? {};
    const base = { arm: arm.id, values, rewards: count, pending: arm.pending };
    if (count === 0) return { ...base, mean: null, interval: null };
    const margin = asymptoticMargin(count, variance, INTERVAL_ALPHA, RHO);
    const ends = [Math.max(0, mean - margin), Math.min(1, mean + margin)].map((end) =>
      unscaleReward(experiment.reward, end),
    );
    const [low = 0, high = 0] = ends.sort((one, other) => one - other);
    return { ...base, mean: unscaleReward(experiment.reward, mean), interval: [low, high] };
  });
}

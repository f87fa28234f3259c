import { CairnError } from "../../../errors.ts";
import type { LoggedChoice } from "./estimate-off-policy.ts";

/** A line of a bandit's log: what was pulled, with what probability each arm would have been, and what came of it. */
export interface LogLine {
  readonly arm: string;
  readonly propensities: Readonly<Record<string, number>>;
  readonly reward: number;
}

/**
 * The log as `estimateOffPolicy` reads it, for a target with the given probabilities. The model of the rewards is each
 * arm's mean over all other lines, so that no reward predicts itself, or the mean of all others for an arm that has none.
 */
export function toLoggedChoices(log: readonly LogLine[], target: Readonly<Record<string, number>>): LoggedChoice[] {
  const shares = Object.entries(target);
  assertTarget(shares);
  const arms = new Map<string, { count: number; sum: number }>();
  let whole = 0;
  for (const { arm, reward } of log) {
    const { count, sum } = arms.get(arm) ?? { count: 0, sum: 0 };
    arms.set(arm, { count: count + 1, sum: sum + reward });
    whole += reward;
  }
  return log.map(({ arm, propensities, reward }) => {
    const predict = (id: string) => {
      const seen = arms.get(id) ?? { count: 0, sum: 0 };
      const own = id === arm ? 1 : 0;
      if (seen.count > own) return (seen.sum - own * reward) / (seen.count - own);
      return log.length > 1 ? (whole - reward) / (log.length - 1) : reward;
    };
    return {
      reward,
      propensity: propensities[arm] ?? Number.NaN,
      target: target[arm] ?? 0,
      predicted: predict(arm),
      predictedOfTarget: shares.reduce((sum, [id, share]) => sum + share * predict(id), 0),
    };
  });
}

function assertTarget(shares: readonly (readonly [string, number])[]): void {
  const total = shares.reduce((sum, [, share]) => sum + share, 0);
  if (shares.every(([, share]) => share >= 0) && Math.abs(total - 1) <= 1e-9) return;
  throw new CairnError(
    "BAD_REQUEST",
    `The target's probabilities add up to \`${total}\`; they must be 0 or more and add up to 1.`,
  );
}

import type { Arm } from "../bandits/bandit.ts";
import type { ArmSummary } from "./stop-rule.ts";

/**
 * All of an arm's rewards, on [0, 1], as the stop rule reads them. Their variance is that of the rewards and of `imagined` more at
 * either end of the range: ten rewards that happen to be the same do not show that all are, and where good ones are rare
 * the first ten usually are the same.
 */
export function summariseArm({ id, total: { pulls, sum, sumOfSquares } }: Arm, imagined: 0 | 1 = 1): ArmSummary {
  if (pulls === 0) return { id, count: 0, mean: 0, variance: 0 };
  const count = pulls + 2 * imagined;
  const middle = (sum + imagined) / count;
  return {
    id,
    count: pulls,
    mean: sum / pulls,
    variance: Math.max(0, (sumOfSquares + imagined) / count - middle * middle),
  };
}

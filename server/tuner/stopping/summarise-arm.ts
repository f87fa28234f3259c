import type { Arm } from "../bandits/bandit.ts";
import type { ArmSummary } from "./stop-rule.ts";

/** All of an arm's rewards, on [0, 1], as the stop rule reads them; the variance is that of the rewards themselves. */
export function summariseArm({ id, total: { pulls, sum, sumOfSquares } }: Arm): ArmSummary {
  if (pulls === 0) return { id, count: 0, mean: 0, variance: 0 };
  const mean = sum / pulls;
  return { id, count: pulls, mean, variance: Math.max(0, sumOfSquares / pulls - mean * mean) };
}

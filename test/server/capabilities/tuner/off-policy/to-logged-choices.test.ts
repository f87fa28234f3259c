import { expect, test } from "vitest";
import { createBandit } from "../../../../../server/capabilities/tuner/bandits/bandit.ts";
import { chooseArm } from "../../../../../server/capabilities/tuner/bandits/choose-arm.ts";
import { rewardArm } from "../../../../../server/capabilities/tuner/bandits/reward-arm.ts";
import { estimateOffPolicy } from "../../../../../server/capabilities/tuner/off-policy/estimate-off-policy.ts";
import {
  type LogLine,
  toLoggedChoices,
} from "../../../../../server/capabilities/tuner/off-policy/to-logged-choices.ts";
import { uniformAt } from "../../../../../server/capabilities/tuner/uniform.ts";

const line = (arm: string, reward: number): LogLine => ({ arm, propensities: { a: 0.75, b: 0.25 }, reward });

test("a line is predicted from the other lines of its arm, or of all where there are none", () => {
  const choices = toLoggedChoices([line("a", 0), line("a", 1), line("b", 0.5)], { a: 0.5, b: 0.5 });
  expect(choices[0]).toEqual({ reward: 0, propensity: 0.75, target: 0.5, predicted: 1, predictedOfTarget: 0.75 });
  expect(choices[2]).toMatchObject({ propensity: 0.25, predicted: 0.5, predictedOfTarget: 0.5 });
});

test("a target's probabilities add up to 1", () => {
  expect(() => toLoggedChoices([line("a", 0)], { a: 0.5 })).toThrow("add up to `0.5`");
});

test("the log of a bandit tells what always pulling each of its arms would have earned", () => {
  const means: Readonly<Record<string, number>> = { a: 0.7, b: 0.4, c: 0.2 };
  const strategy = { kind: "thompson" } as const;
  let bandit = createBandit(strategy, Object.keys(means));
  const log: LogLine[] = [];
  for (let step = 0; step < 2000; step += 1) {
    const chosen = chooseArm(strategy, { minProbability: 0.1, minSamplesPerArm: 1 }, bandit, uniformAt("choice", step));
    const { arm } = chosen.choice;
    const reward = uniformAt("reward", step) < (means[arm] ?? 0) ? 1 : 0;
    const propensities = Object.fromEntries(bandit.arms.map(({ id }, at) => [id, chosen.choice.propensities[at] ?? 0]));
    log.push({ arm, propensities, reward });
    bandit = rewardArm(strategy, chosen.bandit, arm, reward);
  }
  for (const [id, mean] of Object.entries(means)) {
    const found = estimateOffPolicy(toLoggedChoices(log, { [id]: 1 }), { clip: 20, level: 0.999 });
    for (const estimate of [found.ips, found.snips, found.doublyRobust]) {
      expect(estimate.low).toBeLessThan(mean);
      expect(estimate.high).toBeGreaterThan(mean);
    }
    expect(found.doublyRobust.standardError).toBeLessThan(found.ips.standardError ?? 0);
  }
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createBandit } from "../../../../server/tuner/bandits/bandit.ts";
import { chooseArm } from "../../../../server/tuner/bandits/choose-arm.ts";
import { rewardArm } from "../../../../server/tuner/bandits/reward-arm.ts";
import { evaluateStopRule } from "../../../../server/tuner/stopping/stop-rule.ts";
import { summariseArm } from "../../../../server/tuner/stopping/summarise-arm.ts";
import { uniformAt } from "../../../../server/tuner/uniform.ts";

test("an arm's summary is the mean and the variance of its rewards", () => {
  const tally = { pulls: 4, sum: 3, sumOfSquares: 3 };
  expect(summariseArm({ id: "a", pending: 7, total: tally, recent: tally })).toEqual({
    id: "a",
    count: 4,
    mean: 0.75,
    variance: 0.1875,
  });
});

test("a variance is never below 0, and nothing without rewards", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 50 }), (reward, pulls) => {
      let tally = { pulls: 0, sum: 0, sumOfSquares: 0 };
      for (let pull = 0; pull < pulls; pull += 1) {
        tally = { pulls: pull + 1, sum: tally.sum + reward, sumOfSquares: tally.sumOfSquares + reward * reward };
      }
      const { variance } = summariseArm({ id: "a", pending: 0, total: tally, recent: tally });
      expect(variance).toBeGreaterThanOrEqual(0);
      expect(variance).toBeLessThan(1e-12);
    }),
  );
});

test("a bandit with one clearly better arm stops, and names it", () => {
  const strategy = { kind: "ucb1", c: 2 } as const;
  const rule = { delta: 0.05, epsilon: 0, minSamplesPerArm: 10, maxSamplesPerArm: 10_000 };
  let bandit = createBandit(strategy, ["good", "bad"]);
  let verdict = evaluateStopRule(rule, bandit.arms.map(summariseArm));
  for (let step = 0; !verdict.stop && step < 5000; step += 1) {
    const chosen = chooseArm(strategy, { minProbability: 0.1, minSamplesPerArm: 10 }, bandit, uniformAt("draw", step));
    const { arm } = chosen.choice;
    bandit = rewardArm(strategy, chosen.bandit, arm, uniformAt("reward", step) < (arm === "good" ? 0.8 : 0.4) ? 1 : 0);
    verdict = evaluateStopRule(rule, bandit.arms.map(summariseArm));
  }
  expect(verdict).toMatchObject({ stop: true, reason: "winner", keep: "good" });
});

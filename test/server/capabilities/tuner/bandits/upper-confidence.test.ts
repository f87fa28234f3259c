import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBandit } from "../../../../../server/capabilities/tuner/bandits/bandit.ts";
import { chooseArm } from "../../../../../server/capabilities/tuner/bandits/choose-arm.ts";
import { rewardArm } from "../../../../../server/capabilities/tuner/bandits/reward-arm.ts";
import {
  type IndexStrategy,
  toIndices,
  bernoulliDivergence,
  klUpperBound,
} from "../../../../../server/capabilities/tuner/bandits/upper-confidence.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";

interface Golden {
  readonly arms: number;
  readonly reward_table: readonly (readonly number[])[];
  readonly traces: readonly {
    readonly policy: string;
    readonly params: { readonly gamma?: number; readonly tau?: number; readonly xi?: number };
    readonly trace: readonly {
      readonly index: readonly (number | null)[];
      readonly arm: number;
      readonly reward: number;
    }[];
  }[];
}

const golden = readOracle("bandit-golden") as Golden;
const exploration = { minProbability: 0, minSamplesPerArm: 0 };

function strategyOf({ policy, params }: Golden["traces"][number]): IndexStrategy {
  const { gamma = 0, tau = 0, xi = 0 } = params;
  if (policy === "ucb1") return { kind: "ucb1", c: 2 };
  if (policy === "ucb1_tuned") return { kind: "ucb1_tuned" };
  if (policy === "klucb") return { kind: "kl_ucb" };
  if (policy === "ducb") return { kind: "d_ucb", discount: gamma, xi };
  return { kind: "sw_ucb", window: tau, xi };
}

describe("60 steps on a fixed table of rewards", () => {
  test.each(golden.traces)("$policy has the reference's index at every step and pulls its arms", (expected) => {
    const strategy = strategyOf(expected);
    const ids = golden.reward_table.map((_, arm) => `arm ${arm}`);
    const pulled = ids.map(() => 0);
    let bandit = createBandit(strategy, ids);
    for (const step of expected.trace) {
      const indices = toIndices(strategy, bandit);
      for (const [arm, index] of step.index.entries()) if (index !== null) expect(indices[arm]).toBeCloseTo(index, 12);
      const chosen = chooseArm(strategy, exploration, bandit, 0.5);
      expect(chosen.choice.arm).toBe(ids[step.arm]);
      const reward = golden.reward_table[step.arm]?.[pulled[step.arm] ?? 0] ?? Number.NaN;
      expect(reward).toBe(step.reward);
      pulled[step.arm] = (pulled[step.arm] ?? 0) + 1;
      bandit = rewardArm(strategy, chosen.bandit, chosen.choice.arm, reward);
    }
    expect(bandit.arms.map(({ total }) => total.pulls)).toEqual(pulled);
  });
});

describe("an arm with pending pulls only", () => {
  const strategy: IndexStrategy = { kind: "ucb1", c: 2 };

  test("is not pulled again before another that is untried", () => {
    const first = chooseArm(strategy, exploration, createBandit(strategy, ["a", "b"]), 0);
    expect(first.choice.arm).toBe("a");
    expect(chooseArm(strategy, exploration, first.bandit, 0).choice.arm).toBe("b");
  });

  test("has the mean of all rewards, and 1/2 while there is none", () => {
    let bandit = createBandit(strategy, ["a", "b"]);
    for (let pull = 0; pull < 2; pull += 1) bandit = chooseArm(strategy, exploration, bandit, 0).bandit;
    expect(toIndices(strategy, bandit)).toEqual([0.5 + Math.sqrt(2 * Math.log(2)), 0.5 + Math.sqrt(2 * Math.log(2))]);
    bandit = rewardArm(strategy, bandit, "a", 0.25);
    expect(toIndices(strategy, bandit)[1]).toBe(0.25 + Math.sqrt(2 * Math.log(2)));
  });
});

test("the bound of a mean of 0 has a closed form", () => {
  expect(klUpperBound(0, Math.log(3))).toBeCloseTo(2 / 3, 15);
  expect(klUpperBound(1, 0.1)).toBe(1);
  expect(klUpperBound(0.4, Infinity)).toBe(1);
});

test("the divergence reaches the level at the bound, and the bound grows with mean and level", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(unit, unit, unit, (mean, level, more) => {
      const bound = klUpperBound(mean, level);
      expect(bound).toBeGreaterThanOrEqual(mean);
      expect(bernoulliDivergence(mean, bound)).toBeLessThanOrEqual(level);
      if (bound < 1) expect(bernoulliDivergence(mean, Math.min(1, bound + 1e-9))).toBeGreaterThan(level - 1e-6);
      expect(klUpperBound(mean, level + more)).toBeGreaterThanOrEqual(bound);
    }),
  );
});

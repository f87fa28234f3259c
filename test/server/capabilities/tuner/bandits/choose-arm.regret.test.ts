import { describe, expect, test } from "vitest";
import { createBandit } from "../../../../../server/capabilities/tuner/bandits/bandit.ts";
import { chooseArm } from "../../../../../server/capabilities/tuner/bandits/choose-arm.ts";
import { rewardArm } from "../../../../../server/capabilities/tuner/bandits/reward-arm.ts";
import type { Strategy } from "../../../../../server/capabilities/tuner/bandits/strategy.ts";
import { uniformAt } from "../../../../../server/capabilities/tuner/uniform.ts";
import { readOracle } from "../../../../helpers/tuner-oracle.ts";

type Measured = { readonly regret: Readonly<Record<string, { readonly mean: number; readonly se: number }>> };
type Instance = { readonly means: readonly number[]; readonly ucb1_bound: Readonly<Record<string, number>> } & Readonly<
  Record<"ucb1" | "ucb1_tuned" | "ts", Measured>
>;

const LONG = process.env["CAIRN_LONG"] === "1";
const oracle = readOracle("bandit-regret") as Readonly<Record<string, Instance>>;
const STRATEGIES: readonly (readonly ["ucb1" | "ucb1_tuned" | "ts", Strategy])[] = [
  ["ucb1", { kind: "ucb1", c: 2 }],
  ["ucb1_tuned", { kind: "ucb1_tuned" }],
  ["ts", { kind: "thompson" }],
];

function regretOf(strategy: Strategy, means: readonly number[], steps: number, run: number): number {
  const best = Math.max(...means);
  let bandit = createBandit(
    strategy,
    means.map((_, arm) => `arm ${arm}`),
  );
  let regret = 0;
  for (let step = 0; step < steps; step += 1) {
    const chosen = chooseArm(
      strategy,
      { minProbability: 0, minSamplesPerArm: 0 },
      bandit,
      uniformAt(`choice ${run}`, step),
    );
    const arm = bandit.arms.findIndex(({ id }) => id === chosen.choice.arm);
    const mean = means[arm] ?? Number.NaN;
    regret += best - mean;
    bandit = rewardArm(strategy, chosen.bandit, chosen.choice.arm, uniformAt(`reward ${run}`, step) < mean ? 1 : 0);
  }
  return regret;
}

describe.each(Object.entries(oracle))("on %s", (_name, instance) => {
  test.each(STRATEGIES)(
    "%s loses as much as the reference, within three standard errors",
    (name, strategy) => {
      const steps = LONG ? 10_000 : 100;
      // Integrating Thompson's propensities takes a hundred times as long as an index, and longer with more arms.
      const isSlow = name === "ts" && instance.means.length > 2;
      const runs = 100 / (isSlow ? 10 : 1);
      const regrets = Array.from({ length: runs }, (_, run) => regretOf(strategy, instance.means, steps, run));
      const mean = regrets.reduce((sum, regret) => sum + regret, 0) / runs;
      const variance = regrets.reduce((sum, regret) => sum + (regret - mean) * (regret - mean), 0) / (runs - 1);
      const reference = instance[name].regret[steps] ?? { mean: Number.NaN, se: Number.NaN };
      expect(Math.abs(mean - reference.mean)).toBeLessThan(
        3 * Math.sqrt(reference.se * reference.se + variance / runs),
      );
      if (name === "ucb1") expect(mean).toBeLessThan(instance.ucb1_bound[steps] ?? Number.NaN);
    },
    3_600_000,
  );
});

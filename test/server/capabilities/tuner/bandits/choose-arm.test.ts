import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignmentDraw } from "../../../../../server/capabilities/tuner/state/assign-values.ts";
import {
  addArm,
  type Bandit,
  createBandit,
  removeArm,
} from "../../../../../server/capabilities/tuner/bandits/bandit.ts";
import { chooseArm, chooseBatch, toPropensities } from "../../../../../server/capabilities/tuner/bandits/choose-arm.ts";
import { abandonPull, rewardArm } from "../../../../../server/capabilities/tuner/bandits/reward-arm.ts";
import type { Strategy } from "../../../../../server/capabilities/tuner/bandits/strategy.ts";

const STRATEGIES: readonly Strategy[] = [
  { kind: "ucb1", c: 2 },
  { kind: "ucb1_tuned" },
  { kind: "kl_ucb" },
  { kind: "thompson" },
  { kind: "sw_ucb", window: 5, xi: 0.5 },
  { kind: "d_ucb", discount: 0.9, xi: 0.5 },
];
const exploration = { minProbability: 0.05, minSamplesPerArm: 1 };

const strategies = fc.constantFrom(...STRATEGIES);
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** A step of a life: a choice by `draw`, then its reward, its end without one, or nothing yet. */
const steps = fc.array(
  fc.record({ draw: draws, outcome: fc.constantFrom("reward", "abandon", "wait"), reward: unit }),
  {
    maxLength: 25,
  },
);
type Step = (typeof steps extends fc.Arbitrary<infer T> ? T : never)[number];

function live(strategy: Strategy, bandit: Bandit, step: Step): Bandit {
  const chosen = chooseArm(strategy, exploration, bandit, step.draw);
  const { arm } = chosen.choice;
  if (step.outcome === "reward") return rewardArm(strategy, chosen.bandit, arm, step.reward);
  return step.outcome === "abandon" ? abandonPull(chosen.bandit, arm) : chosen.bandit;
}

const lives = fc.tuple(strategies, steps).map(([strategy, life]) => {
  const start = createBandit(strategy, ["a", "b", "c"]);
  return { strategy, life, bandit: life.reduce((bandit, step) => live(strategy, bandit, step), start) };
});

describe("every strategy", () => {
  test("gives probabilities that add up to 1 and keep the floor", () => {
    fc.assert(
      fc.property(lives, fc.double({ min: 0, max: 1 / 3, noNaN: true }), ({ strategy, bandit }, minProbability) => {
        const propensities = toPropensities(strategy, { ...exploration, minProbability }, bandit);
        expect(propensities.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
        expect(Math.min(...propensities)).toBeGreaterThanOrEqual(minProbability);
      }),
    );
  });

  test("goes on alike from a state that was written as JSON and read again", () => {
    fc.assert(
      fc.property(lives, steps, ({ strategy, bandit }, more) => {
        const copy = JSON.parse(JSON.stringify(bandit)) as Bandit;
        const goOn = (from: Bandit) => JSON.stringify(more.reduce((state, step) => live(strategy, state, step), from));
        expect(goOn(copy)).toBe(goOn(bandit));
      }),
    );
  });

  test("does not change the state it is given", () => {
    fc.assert(
      fc.property(lives, steps, ({ strategy, bandit }, more) => {
        const before = JSON.stringify(bandit);
        more.reduce((state, step) => live(strategy, state, step), bandit);
        expect(JSON.stringify(bandit)).toBe(before);
      }),
    );
  });

  test("counts every pull once: pending or rewarded, unless it was given up", () => {
    fc.assert(
      fc.property(lives, ({ life, bandit }) => {
        const counted = bandit.arms.reduce((sum, arm) => sum + arm.pending + arm.total.pulls, 0);
        expect(counted).toBe(life.filter(({ outcome }) => outcome !== "abandon").length);
      }),
    );
  });

  test("chooses a batch as it would choose one by one", () => {
    fc.assert(
      fc.property(lives, fc.array(draws, { maxLength: 8 }), ({ strategy, bandit }, batch) => {
        const together = chooseBatch(strategy, exploration, bandit, batch);
        let state = bandit;
        for (const [place, draw] of batch.entries()) {
          const one = chooseArm(strategy, exploration, state, draw);
          expect(one.choice).toEqual(together.choices[place]);
          state = one.bandit;
        }
        expect(together.bandit).toEqual(state);
      }),
    );
  });

  test("treats arms alike: in another order they have the same probabilities, but for ties", () => {
    const evidence = fc.tuple(
      strategies,
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 3 }),
    );
    fc.assert(
      fc.property(evidence, ([strategy, rewards]) => {
        const build = (order: readonly number[]) => {
          let bandit = createBandit(strategy, order.map(String));
          // Rewards arrive in one and the same order, which matters to those that forget.
          const all = chooseBatch(
            strategy,
            { minProbability: 0, minSamplesPerArm: 1 },
            bandit,
            order.map(() => 0),
          );
          bandit = all.bandit;
          for (const [arm, reward] of rewards.entries())
            bandit = rewardArm(strategy, bandit, String(arm), reward / 100);
          const propensities = toPropensities(strategy, exploration, bandit);
          return new Map(bandit.arms.map(({ id }, place) => [id, propensities[place] ?? Number.NaN]));
        };
        const forth = build([0, 1, 2]);
        for (const [id, propensity] of build([2, 0, 1])) expect(propensity).toBeCloseTo(forth.get(id) ?? 0, 10);
      }),
    );
  });

  test("pulls each arm its least number of times before it has a say", () => {
    fc.assert(
      fc.property(strategies, draws, (strategy, draw) => {
        const nursery = { minProbability: 0, minSamplesPerArm: 3 };
        const start = createBandit(strategy, ["a", "b"]);
        const { choices } = chooseBatch(strategy, nursery, start, Array<number>(6).fill(draw));
        expect(choices.map(({ arm }) => arm)).toEqual(["a", "b", "a", "b", "a", "b"]);
      }),
    );
  });

  test("forgets an arm that is removed, and tries one that is added before any other", () => {
    fc.assert(
      fc.property(lives, ({ strategy, bandit }) => {
        const changed = addArm(removeArm(bandit, "b"), "b");
        expect(changed.arms.map(({ id }) => id)).toEqual(["a", "c", "b"]);
        expect(changed.window.some(([arm]) => arm === "b")).toBe(false);
        const untried = changed.arms.find(({ total, pending }) => total.pulls + pending === 0)?.id;
        const none = { minProbability: 0, minSamplesPerArm: 1 };
        expect(chooseArm(strategy, none, changed, 0.9).choice.arm).toBe(untried);
      }),
    );
  });
});

test("a window forgets what an arm earned when the arm is removed", () => {
  const strategy = { kind: "sw_ucb", window: 4, xi: 0.5 } as const;
  let { bandit } = chooseBatch(strategy, exploration, createBandit(strategy, ["a", "b"]), [0.5, 0.5]);
  bandit = rewardArm(strategy, rewardArm(strategy, bandit, "a", 0.25), "b", 1);
  expect(removeArm(bandit, "b").window).toEqual([["a", 0.25]]);
});

test("the share of draws that fall on an arm is its propensity", () => {
  const strategy = { kind: "thompson" } as const;
  let { bandit } = chooseBatch(strategy, exploration, createBandit(strategy, ["a", "b", "c"]), [0, 0.4, 0.9]);
  for (const [arm, reward] of [["a", 0.2] as const, ["b", 0.5] as const, ["c", 1] as const]) {
    bandit = rewardArm(strategy, bandit, arm, reward);
  }
  const counts = new Map<string, number>();
  const runs = 10_000;
  for (let run = 0; run < runs; run += 1) {
    const { arm } = chooseArm(strategy, exploration, bandit, assignmentDraw("seed", "route", `c${run}`)).choice;
    counts.set(arm, (counts.get(arm) ?? 0) + 1);
  }
  for (const [place, propensity] of toPropensities(strategy, exploration, bandit).entries()) {
    const share = (counts.get(bandit.arms[place]?.id ?? "") ?? 0) / runs;
    expect(Math.abs(share - propensity)).toBeLessThan(3.5 * Math.sqrt((propensity * (1 - propensity)) / runs));
  }
});

test("a conversation's draw is always the same, and another in another experiment", () => {
  expect(assignmentDraw("7", "route", "c1")).toBe(assignmentDraw("7", "route", "c1"));
  expect(assignmentDraw("7", "route", "c1")).not.toBe(assignmentDraw("7", "knobs", "c1"));
  expect(assignmentDraw("7", "a", "bc")).not.toBe(assignmentDraw("7", "ab", "c"));
});

describe("what no bandit can take is refused", () => {
  const strategy = { kind: "ucb1", c: 2 } as const;
  const bandit = createBandit(strategy, ["a", "b"]);
  const pulled = chooseArm(strategy, exploration, bandit, 0).bandit;

  test.each([
    ["an unknown arm", () => rewardArm(strategy, pulled, "x", 1), "There is no arm `x`; there are `a`, `b`."],
    ["a reward that is no number", () => rewardArm(strategy, pulled, "a", Number.NaN), "The reward is `NaN`"],
    ["a reward above 1", () => rewardArm(strategy, pulled, "a", 1.5), "The reward is `1.5`"],
    ["a reward nobody waits for", () => rewardArm(strategy, pulled, "b", 1), "No pull of arm `b` waits"],
    ["no arms", () => createBandit(strategy, []), "at least one arm"],
    ["an arm twice", () => createBandit(strategy, ["a", "a"]), "already an arm `a`"],
    ["removing the last arm", () => removeArm(createBandit(strategy, ["a"]), "a"), "the only arm"],
    [
      "a floor above one share",
      () => toPropensities(strategy, { ...exploration, minProbability: 0.6 }, bandit),
      "`0.5`",
    ],
    ["a draw of 1", () => chooseArm(strategy, exploration, bandit, 1), "does not lie in [0, 1)"],
    [
      "a state of another strategy",
      () => toPropensities({ kind: "kl_ucb" }, exploration, bandit),
      "`ucb1@1`, not of `kl_ucb@1`",
    ],
    ["a width of 0", () => createBandit({ kind: "ucb1", c: 0 }, ["a"]), "`c` is `0`"],
    ["a window of 2.5", () => createBandit({ kind: "sw_ucb", window: 2.5, xi: 1 }, ["a"]), "`window` is `2.5`"],
    ["a discount of 1", () => createBandit({ kind: "d_ucb", discount: 1, xi: 1 }, ["a"]), "`discount` is `1`"],
  ])("%s", (_what, act, message) => {
    expect(act).toThrow(message);
  });
});

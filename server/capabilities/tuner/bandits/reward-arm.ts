import { CairnError } from "../../../errors.ts";
import { type Arm, assertAlgorithm, type Bandit, findArm, type Tally } from "./bandit.ts";
import type { Strategy } from "./strategy.ts";

/** The bandit after the reward, in [0, 1], of one pending pull of `arm`. */
export function rewardArm(strategy: Strategy, bandit: Bandit, arm: string, reward: number): Bandit {
  assertAlgorithm(strategy, bandit);
  if (!(reward >= 0 && reward <= 1)) {
    throw new CairnError("BAD_REQUEST", `The reward is \`${reward}\`; it must lie between 0 and 1.`);
  }
  const settled = abandonPull(bandit, arm);
  const [oldest] = bandit.window;
  const window = strategy.kind === "sw_ucb" ? [...bandit.window, [arm, reward] as const].slice(-strategy.window) : [];
  const arms = settled.arms.map((one): Arm => {
    const total = one.id === arm ? add(one.total, reward) : one.total;
    // What the window holds of the others is as it was.
    if (strategy.kind === "sw_ucb" && one.id !== arm && one.id !== oldest?.[0]) return one;
    return { ...one, total, recent: recentOf(strategy, one, total, arm, reward, window) };
  });
  return { ...settled, arms, window };
}

/** The bandit after giving up a pending pull of `arm`: no reward came in time. */
export function abandonPull(bandit: Bandit, arm: string): Bandit {
  if (findArm(bandit, arm).pending === 0) {
    throw new CairnError("CONFLICT", `No pull of arm \`${arm}\` waits for a reward.`);
  }
  const arms = bandit.arms.map((one) => (one.id === arm ? { ...one, pending: one.pending - 1 } : one));
  return { ...bandit, arms };
}

function recentOf(
  strategy: Strategy,
  one: Arm,
  total: Tally,
  arm: string,
  reward: number,
  window: Bandit["window"],
): Tally {
  if (strategy.kind === "d_ucb") {
    const faded = fade(one.recent, strategy.discount);
    return one.id === arm ? add(faded, reward) : faded;
  }
  // Summed anew each time, because taking out what leaves the window would let rounding errors pile up.
  if (strategy.kind === "sw_ucb") {
    let [pulls, sum, sumOfSquares] = [0, 0, 0];
    for (const [id, value] of window) {
      if (id !== one.id) continue;
      pulls += 1;
      sum += value;
      sumOfSquares += value * value;
    }
    return { pulls, sum, sumOfSquares };
  }
  return total;
}

function add({ pulls, sum, sumOfSquares }: Tally, reward: number): Tally {
  return { pulls: pulls + 1, sum: sum + reward, sumOfSquares: sumOfSquares + reward * reward };
}

function fade({ pulls, sum, sumOfSquares }: Tally, discount: number): Tally {
  return { pulls: pulls * discount, sum: sum * discount, sumOfSquares: sumOfSquares * discount };
}

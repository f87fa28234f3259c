import { CairnError } from "../../../errors.ts";
import { assertAlgorithm, type Bandit, type Tally } from "./bandit.ts";
import { bestArmProbabilities } from "./best-arm-probabilities.ts";
import type { Strategy } from "./strategy.ts";
import { toIndices } from "./upper-confidence.ts";

export interface Exploration {
  /** Every arm is pulled with at least this probability, so that any other strategy can be judged by the log. */
  readonly minProbability: number;
  /** Pulls that every arm gets before the strategy has a say. */
  readonly minSamplesPerArm: number;
}

export interface Choice {
  readonly arm: string;
  /** With what probability each arm would have been pulled here, in declared order; they add up to 1. */
  readonly propensities: readonly number[];
}

/** The arm that `draw`, uniform on [0, 1), falls on, and the bandit with that pull pending. */
export function chooseArm(
  strategy: Strategy,
  exploration: Exploration,
  bandit: Bandit,
  draw: number,
): { readonly choice: Choice; readonly bandit: Bandit } {
  if (!(draw >= 0 && draw < 1)) throw new CairnError("BAD_REQUEST", `The draw \`${draw}\` does not lie in [0, 1).`);
  const propensities = toPropensities(strategy, exploration, bandit);
  const arm = pick(bandit, propensities, draw);
  const arms = bandit.arms.map((one) => (one.id === arm ? { ...one, pending: one.pending + 1 } : one));
  return { choice: { arm, propensities }, bandit: { ...bandit, arms } };
}

/** One choice after another, each knowing the pending pulls of those before it. */
export function chooseBatch(
  strategy: Strategy,
  exploration: Exploration,
  bandit: Bandit,
  draws: readonly number[],
): { readonly choices: readonly Choice[]; readonly bandit: Bandit } {
  let state = bandit;
  const choices = draws.map((draw) => {
    const chosen = chooseArm(strategy, exploration, state, draw);
    state = chosen.bandit;
    return chosen.choice;
  });
  return { choices, bandit: state };
}

/** Of K arms, each has (1 - K * minProbability) of the strategy's own probability, and `minProbability`. */
export function toPropensities(strategy: Strategy, exploration: Exploration, bandit: Bandit): number[] {
  assertAlgorithm(strategy, bandit);
  const floor = exploration.minProbability;
  const free = 1 - floor * bandit.arms.length;
  if (!(floor >= 0 && free >= 0)) {
    throw new CairnError(
      "BAD_REQUEST",
      `The minimum probability \`${floor}\` must lie between 0 and \`${1 / bandit.arms.length}\`, one share of ${bandit.arms.length} arms.`,
    );
  }
  return strategyProbabilities(strategy, exploration, bandit).map((probability) => free * probability + floor);
}

function strategyProbabilities(strategy: Strategy, exploration: Exploration, bandit: Bandit): readonly number[] {
  const pulls = bandit.arms.map((arm) => arm.total.pulls + arm.pending);
  const fewest = Math.min(...pulls);
  if (fewest < exploration.minSamplesPerArm) return certainly(pulls.indexOf(fewest), pulls.length);
  if (strategy.kind === "thompson") return posteriorOf(bandit);
  const indices = toIndices(strategy, bandit).map((index) => index ?? Infinity);
  return certainly(indices.indexOf(Math.max(...indices)), indices.length);
}

/** Integrals that only a reward changes, and that choice after choice would otherwise work out again. */
const posteriors = new WeakMap<Tally, { readonly tallies: readonly Tally[]; readonly best: readonly number[] }>();

function posteriorOf({ arms }: Bandit): readonly number[] {
  const tallies = arms.map(({ recent }) => recent);
  const [first] = tallies;
  if (first === undefined) return [];
  const known = posteriors.get(first);
  if (known?.tallies.every((tally, index) => tally === tallies[index]) === true) return known.best;
  const best = bestArmProbabilities(tallies);
  posteriors.set(first, { tallies, best });
  return best;
}

function certainly(chosen: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => (index === chosen ? 1 : 0));
}

/** The arm whose share of [0, 1) holds the draw; shares lie in declared order. */
function pick({ arms }: Bandit, propensities: readonly number[], draw: number): string {
  let reached = 0;
  let last = "";
  for (const [place, { id }] of arms.entries()) {
    const propensity = propensities[place] ?? 0;
    reached += propensity;
    if (draw < reached) return id;
    if (propensity > 0) last = id;
  }
  return last; // rounding left a sliver at the end
}

import { CairnError } from "../../../errors.ts";
import { algorithmOf, assertStrategy, type Strategy } from "./strategy.ts";

/** Sums over rewards in [0, 1], in the order of their arrival. */
export interface Tally {
  readonly pulls: number;
  readonly sum: number;
  readonly sumOfSquares: number;
}

export interface Arm {
  readonly id: string;
  /** Pulls whose reward is still to come. */
  readonly pending: number;
  /** Everything ever rewarded. */
  readonly total: Tally;
  /** Tally that the strategy uses: the whole one, or the part that a window or a discount leaves. */
  readonly recent: Tally;
}

/** Plain JSON, and all that a bandit knows; a new one is made for each step. */
export interface Bandit {
  readonly algorithm: string;
  /** In declared order, which breaks ties. */
  readonly arms: readonly Arm[];
  /** The latest rewards, oldest first, if the strategy forgets by a window. */
  readonly window: readonly (readonly [arm: string, reward: number])[];
}

const EMPTY_TALLY: Tally = { pulls: 0, sum: 0, sumOfSquares: 0 };

/** A bandit that has seen nothing. */
export function createBandit(strategy: Strategy, arms: readonly string[]): Bandit {
  assertStrategy(strategy);
  if (arms.length === 0) throw new CairnError("BAD_REQUEST", "A bandit needs at least one arm.");
  const empty: Bandit = { algorithm: algorithmOf(strategy), arms: [], window: [] };
  return arms.reduce(addArm, empty);
}

/** The bandit with one more arm, in last place and untried, so exploration opens again. */
export function addArm(bandit: Bandit, id: string): Bandit {
  if (bandit.arms.some((arm) => arm.id === id)) {
    throw new CairnError("BAD_REQUEST", `There is already an arm \`${id}\`.`);
  }
  return { ...bandit, arms: [...bandit.arms, { id, pending: 0, total: EMPTY_TALLY, recent: EMPTY_TALLY }] };
}

/** The bandit without an arm and without all it knew of it; rewards that were still to come are refused from now on. */
export function removeArm(bandit: Bandit, id: string): Bandit {
  findArm(bandit, id);
  if (bandit.arms.length === 1) throw new CairnError("CONFLICT", `\`${id}\` is the only arm; it cannot be removed.`);
  return {
    ...bandit,
    arms: bandit.arms.filter((arm) => arm.id !== id),
    window: bandit.window.filter(([arm]) => arm !== id),
  };
}

export function findArm(bandit: Bandit, id: string): Arm {
  const found = bandit.arms.find((arm) => arm.id === id);
  if (found !== undefined) return found;
  const names = bandit.arms.map((arm) => `\`${arm.id}\``).join(", ");
  throw new CairnError("BAD_REQUEST", `There is no arm \`${id}\`; there are ${names}.`);
}

export function assertAlgorithm(strategy: Strategy, bandit: Bandit): void {
  const algorithm = algorithmOf(strategy);
  if (bandit.algorithm === algorithm) return;
  throw new CairnError("INVARIANT_VIOLATION", `The state is one of \`${bandit.algorithm}\`, not of \`${algorithm}\`.`);
}

import { CairnError } from "../../../errors.ts";

/** Side of a comparison of two sets of values that are given at the same time. */
export type Side = "active" | "former";

/** Plain JSON: all that a comparison keeps of what it has seen, and how sure it is that the one does more harm than the other. */
export interface Comparison {
  readonly algorithm: "paired-betting@1";
  /** By how much more harm is still borne. */
  readonly limit: number;
  /** All that was seen of each. */
  readonly seen: Readonly<Record<Side, Harm>>;
  /** Observations since the last pair. */
  readonly open: Readonly<Record<Side, Harm>>;
  readonly pairs: number;
  /** Value of one unit after all bets, for each stake. */
  readonly capital: readonly number[];
}

/** Values on [0, 1], where 1 is worst. */
export interface Harm {
  readonly count: number;
  readonly sum: number;
}

const NONE: Harm = { count: 0, sum: 0 };
/** Parts of the capital that are staked on every pair; small ones find small differences, large ones large differences soon. */
const BETS = [1 / 8, 1 / 4, 1 / 2, 9 / 10];

/** Nothing has been seen yet. */
export function createComparison(limit: number): Comparison {
  if (!(limit >= 0 && limit <= 1)) {
    throw new CairnError("BAD_REQUEST", `The limit is \`${limit}\`; it must lie between 0 and 1.`);
  }
  const nothing = { active: NONE, former: NONE };
  return {
    algorithm: "paired-betting@1",
    limit,
    seen: nothing,
    open: nothing,
    pairs: 0,
    capital: BETS.map(() => 1),
  };
}

/**
 * The comparison after one more value, in [0, 1], of one side. As soon as both sides have been seen again, their means since
 * the last pair make a pair with difference d, and each capital grows by a factor of 1 + bet (d - limit) / (1 + limit).
 *
 * While the active side does at most `limit` more harm than the former at any one time, that is a game that nobody wins
 * on average, so the mean capital ever reaches 1 / alpha with probability alpha at most (Ville 1939), whatever befalls both
 * sides alike and however often one looks. Bets on a bounded mean: Waudby-Smith and Ramdas 2024, "Estimating means of bounded
 * random variables by betting"; on two samples: Shekhar and Ramdas 2023, "Nonparametric two-sample testing by betting".
 */
export function extendComparison(before: Comparison, side: Side, harm: number): Comparison {
  if (!(harm >= 0 && harm <= 1)) {
    throw new CairnError("BAD_REQUEST", `The value is \`${harm}\`; it must lie between 0 and 1.`);
  }
  const { limit } = before;
  const seen = { ...before.seen, [side]: add(before.seen[side], harm) };
  const open = { ...before.open, [side]: add(before.open[side], harm) };
  const { active, former } = open;
  if (active.count === 0 || former.count === 0) return { ...before, seen, open };
  const gain = (active.sum / active.count - former.sum / former.count - limit) / (1 + limit);
  return {
    ...before,
    seen,
    open: { active: NONE, former: NONE },
    pairs: before.pairs + 1,
    capital: before.capital.map((one, place) => one * (1 + (BETS[place] ?? 0) * gain)),
  };
}

/** Returns the mean growth of a unit: 1 / alpha of it is evidence against the active side with confidence 1 - alpha. */
export function evidenceOf({ capital }: Comparison): number {
  return capital.reduce((sum, one) => sum + one, 0) / capital.length;
}

function add({ count, sum }: Harm, harm: number): Harm {
  return { count: count + 1, sum: sum + harm };
}

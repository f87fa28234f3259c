import { CairnError } from "../../../errors.ts";
import { type Abilities, type Estimate, fitAbilities, placeOf, placesOf } from "./abilities.ts";
import type { Offer, Row } from "./choice-model.ts";
import { assertConnected, type Edge } from "./comparison-graph.ts";

/** All comparisons of two items in which `first` was shown first. */
export interface PairTally {
  readonly first: string;
  readonly second: string;
  readonly firstWins: number;
  readonly secondWins: number;
  readonly ties: number;
}

export interface BradleyTerryOptions {
  /** Inverse variance of a normal prior on the abilities; 0 for none. */
  readonly l2: number;
  /** `half`: a tie is half a win for each. `davidson`: ties have a probability of their own. */
  readonly ties: "half" | "davidson";
  /** True if being shown first may help or hurt. */
  readonly order: boolean;
}

export interface BradleyTerryFit extends Abilities {
  /** Log odds that being shown first adds. */
  readonly order?: Estimate;
  /** Logarithm of Davidson's nu: equals tie with probability nu / (2 + nu). */
  readonly logNu?: Estimate;
}

/**
 * The Bradley-Terry model (1952): `first` beats `second` with odds exp(ability of first - ability of second + order).
 * With `davidson` (Davidson 1970), win, loss and tie are as p : q : nu sqrt(p q).
 */
export function fitBradleyTerry(
  items: readonly string[],
  tallies: readonly PairTally[],
  { l2, ties, order }: BradleyTerryOptions,
): BradleyTerryFit {
  const places = placesOf(items);
  const orderColumn = order ? items.length : -1;
  const tieColumn = ties === "davidson" ? items.length + (order ? 1 : 0) : -1;
  const edges: Edge[] = [];
  const offers = tallies.map((tally): Offer => {
    assertTally(tally);
    const first = placeOf(places, tally.first);
    const second = placeOf(places, tally.second);
    if (tally.firstWins + tally.ties > 0) edges.push([first, second]);
    if (tally.secondWins + tally.ties > 0) edges.push([second, first]);
    return tieColumn === -1
      ? halved(tally, first, second, orderColumn)
      : tied(tally, first, second, orderColumn, tieColumn);
  });
  if (l2 === 0) assertConnected(items, edges);
  if (ties === "davidson") assertSomeTies(tallies);
  const fit = fitAbilities(items, offers, Number(order) + Number(ties === "davidson"), l2);
  const [orderEstimate, nuEstimate] = [fit.estimates[orderColumn], fit.estimates[tieColumn]];
  return {
    ...fit,
    ...(orderEstimate === undefined ? {} : { order: orderEstimate }),
    ...(nuEstimate === undefined ? {} : { logNu: nuEstimate }),
  };
}

function halved({ firstWins, secondWins, ties }: PairTally, first: number, second: number, orderColumn: number): Offer {
  return {
    alternatives: [[[first, 1], ...effect(orderColumn, 1)], [[second, 1]]],
    counts: [firstWins + ties / 2, secondWins + ties / 2],
  };
}

function tied(
  { firstWins, secondWins, ties }: PairTally,
  first: number,
  second: number,
  orderColumn: number,
  tieColumn: number,
): Offer {
  const tie: Row = [[first, 0.5], [second, 0.5], ...effect(orderColumn, 0.5), [tieColumn, 1]];
  return {
    alternatives: [[[first, 1], ...effect(orderColumn, 1)], [[second, 1]], tie],
    counts: [firstWins, secondWins, ties],
  };
}

function effect(column: number, value: number): Row {
  return column === -1 ? [] : [[column, value]];
}

function assertTally({ first, second, firstWins, secondWins, ties }: PairTally): void {
  if (first === second) throw new CairnError("BAD_REQUEST", `\`${first}\` is compared with itself.`);
  if ([firstWins, secondWins, ties].every((count) => count >= 0 && count < Infinity)) return;
  throw new CairnError(
    "BAD_REQUEST",
    `\`${first}\` against \`${second}\` has counts \`${firstWins}\`, \`${secondWins}\` and \`${ties}\`; they must be 0 or more.`,
  );
}

function assertSomeTies(tallies: readonly PairTally[]): void {
  const ties = tallies.reduce((sum, tally) => sum + tally.ties, 0);
  const others = tallies.reduce((sum, tally) => sum + tally.firstWins + tally.secondWins, 0);
  if (ties > 0 && others > 0) return;
  throw new CairnError(
    "UNPROCESSABLE",
    `There are ${ties} ties and ${others} other outcomes; \`davidson\` needs some of both. Use \`half\`.`,
  );
}

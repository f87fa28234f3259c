import { CairnError } from "../../../errors.ts";
import type { PreferenceStrategy } from "../../../versions/experiment.ts";
import type { Abilities } from "./abilities.ts";
import { fitBradleyTerry, type PairTally } from "./bradley-terry.ts";
import { assertMet, type Edge, stronglyConnected } from "./comparison-graph.ts";
import { judgeHeldOut, type PairsReport } from "./judge-held-out.ts";
import { fitPlackettLuce } from "./plackett-luce.ts";

interface Pair {
  readonly winner: string;
  readonly loser: string;
  readonly tie?: boolean;
}

/** Strengths of the items that were compared, from pairs or from rankings, and how well they foretell pairs held out. */
export function fitItems(
  known: readonly string[],
  pairs: readonly Pair[],
  rankings: readonly (readonly string[])[],
  { l2, ties, targetPrecision }: Pick<PreferenceStrategy, "l2" | "ties" | "targetPrecision">,
  seed: string,
): PairsReport {
  const named = [...pairs.flatMap(({ winner, loser }) => [winner, loser]), ...rankings.flat()];
  const unknown = named.find((item) => !known.includes(item));
  if (unknown !== undefined) {
    const names = known.map((item) => `\`${item}\``).join(", ");
    throw new CairnError("BAD_REQUEST", `There is no item \`${unknown.slice(0, 64)}\`; there are ${names}.`);
  }
  const seen = new Set(named);
  const items = known.filter((item) => seen.has(item));
  const edges = toEdges(items, pairs, rankings);
  assertMet(items, edges);
  const fit = (some: readonly Pair[]): Abilities => fitBradleyTerry(items, tally(some), { l2, ties, order: false });
  const whole = rankings.length > 0 ? fitPlackettLuce(items, rankings, { l2 }) : fit(pairs);
  const decided = pairs.filter(({ tie }) => tie !== true);
  const judged = judgeHeldOut(decided, seed, targetPrecision, (rest) => {
    const { estimates } = fit([...rest, ...pairs.filter(({ tie }) => tie === true)]);
    const strength = (item: string) => estimates[items.indexOf(item)]?.value ?? 0;
    return ({ winner, loser }) => strength(winner) - strength(loser);
  });
  return {
    estimates: Object.fromEntries(
      items.map((item, place) => {
        const { value = 0, standardError = null } = whole.estimates[place] ?? {};
        return [item, { value, standardError }];
      }),
    ),
    logLikelihood: whole.logLikelihood,
    // Some item never lost, or never won: only the prior keeps its strength finite.
    separable: stronglyConnected(items.length, edges).length > 1,
    ...judged,
  };
}

function toEdges(items: readonly string[], pairs: readonly Pair[], rankings: readonly (readonly string[])[]): Edge[] {
  const place = (item: string | undefined) => items.indexOf(item ?? "");
  return [
    ...pairs.flatMap(({ winner, loser, tie }): Edge[] => {
      const edge: Edge = [place(winner), place(loser)];
      return tie === true ? [edge, [edge[1], edge[0]]] : [edge];
    }),
    ...rankings.flatMap((ranking) => ranking.slice(1).map((item, above): Edge => [place(ranking[above]), place(item)])),
  ];
}

function tally(pairs: readonly Pair[]): PairTally[] {
  const tallies = new Map<string, PairTally>();
  for (const { winner, loser, tie = false } of pairs) {
    const key = JSON.stringify([winner, loser]);
    const before = tallies.get(key) ?? { first: winner, second: loser, firstWins: 0, secondWins: 0, ties: 0 };
    const { firstWins, ties } = before;
    tallies.set(key, { ...before, firstWins: firstWins + (tie ? 0 : 1), ties: ties + (tie ? 1 : 0) });
  }
  return [...tallies.values()];
}

import { CairnError } from "../../../errors.ts";
import { type Abilities, fitAbilities, placeOf, placesOf } from "./abilities.ts";
import type { Offer } from "./choice-model.ts";
import { assertConnected, type Edge } from "./comparison-graph.ts";

/**
 * The Plackett-Luce model (Luce 1959; Plackett 1975) of rankings, best first, each of some of the items: the best is
 * chosen from all in the ranking with odds exp(ability), the next from the rest, and so on.
 */
export function fitPlackettLuce(
  items: readonly string[],
  rankings: readonly (readonly string[])[],
  { l2 }: { readonly l2: number },
): Abilities {
  const places = placesOf(items);
  const edges: Edge[] = [];
  const offers = rankings.flatMap((ranking): Offer[] => {
    assertRanking(ranking);
    const ranked = ranking.map((item) => placeOf(places, item));
    return ranked.slice(0, -1).map((taken, at) => {
      const rest = ranked.slice(at);
      // Neighbours are enough: who is above the next is above all below.
      edges.push([taken, rest[1] ?? taken]);
      return { alternatives: rest.map((place) => [[place, 1]]), counts: rest.map((place) => Number(place === taken)) };
    });
  });
  if (l2 === 0) assertConnected(items, edges);
  return fitAbilities(items, offers, 0, l2);
}

function assertRanking(ranking: readonly string[]): void {
  const text = ranking.map((item) => `\`${item}\``).join(", ");
  if (ranking.length < 2) throw new CairnError("BAD_REQUEST", `The ranking [${text}] has fewer than two items.`);
  if (new Set(ranking).size < ranking.length) {
    throw new CairnError("BAD_REQUEST", `The ranking [${text}] has an item twice.`);
  }
}

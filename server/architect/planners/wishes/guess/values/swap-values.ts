import type { Clause } from "../../clause.ts";
import type { Place, Places } from "../../places/places.ts";
import { placesIn } from "../../words/words.ts";
import type { Guess } from "../guess-value.ts";
import { toValueRename } from "./value-runs.ts";

const QUOTE = String.raw`[\x60"'“”„«»‘’「」]?`;
const word = (name: string) =>
  String.raw`(?:the |den |die |das |el |la |le )?${QUOTE}(?<${name}>[A-Za-z][\w-]*)${QUOTE}`;
/** One value for another: which of them is there already says which one goes. */
const SWAPS: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:swap|exchange|trade|substitute|replace|switch|tausch\w*|ersetz\w*|cambi\w*|sustitu\w*|reemplaz\w*|remplac\w*|échang\w*)(?: out)? ${word("one")} (?:for|with|by|against|gegen|durch|mit|por|par|contre)\s+${word("other")}`,
    "giu",
  ),
  // "Accept phone rather than letter": what is accepted comes in the place of what is there.
  new RegExp(
    String.raw`\b(?:accept\w*|take\w*|allow\w*|offer\w*|have|use|support\w*|add) ${word("other")} (?:rather than|instead of|in place of|statt|anstelle von|anstatt|en (?:lugar|vez) de|au lieu de|à la place de)\s+${word("one")}`,
    "giu",
  ),
];

/** "Swap glass for terracotta in the material filter": a value that is there goes, and another one comes. */
export function guessSwaps(clause: Clause, place: Place, places: Places): readonly Guess[] {
  const { thing } = place;
  const { tokens, text } = clause;
  return SWAPS.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(
    ({ index, 0: whole, groups }): readonly Guess[] => {
      const said = [groups?.["one"] ?? "", groups?.["other"] ?? ""];
      const old = said.find((one) => thing.values.includes(one));
      const fresh = said.find((one) => one !== old) ?? "";
      if (old === undefined || thing.values.includes(fresh) || places.identifiers.has(fresh.toLowerCase())) return [];
      const words = placesIn(tokens, { start: index, end: index + whole.length });
      return [
        {
          ...toValueRename(place, old, fresh, places, { alike: 1 }),
          words: [...words, ...(clause.keys.get(place.key)?.flat() ?? [])],
          core: words.filter((at) => tokens[at]?.text === fresh || tokens[at]?.text === old),
        },
      ];
    },
  );
}

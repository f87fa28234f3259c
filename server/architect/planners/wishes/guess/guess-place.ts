import type { Clause } from "../clause.ts";
import { describeGone } from "../places/label-key.ts";
import type { Place, Places } from "../places/places.ts";
import { words } from "../words/word-lists.ts";
import { guessValues } from "./guess-list.ts";
import { guessDefaultText } from "./default-text.ts";
import { guessPattern } from "./guess-pattern.ts";
import { guessText } from "./guess-text.ts";
import { guessRuns } from "./values/value-runs.ts";
import { guessSwaps } from "./values/swap-values.ts";
import { guessBoolean } from "./guess-boolean.ts";
import { type Guess, guessChoice, guessNumber, toGuess, withUnits } from "./guess-value.ts";
import type { Mood } from "./mood.ts";

/** Sayings that something costs nothing. */
const FREE =
  /\b(?:free(?! (?:slots?|times?|text|form|days?|seats?|places?|rooms?))|kostenlos|kostenfrei|umsonst|gratis|gratuite?s?|on the house|no charge|(?:costs?|charged?|billed|count) (?:nothing|zero|no units?)|(?:cost|charge\w*|bill\w*|price\w*|counts?) (?:anything|a thing|at all|any units?|a single unit)|nichts? (?:mehr )?(?:kosten|kostet)|(?:kosten|kostet) (?:ab \w+ |künftig |gar )?nichts|no (?:debería |tendría que |tiene que )?(?:costar|cueste|cuesta|cobrar|cobre)|(?:costar|cueste|cuesta) nada|sin (?:coste|costo|cargo)|(?:coûter?|coûtent)(?: plus)? rien|(?:rien|ne) (?:plus )?(?:coûter?|coûtent|facturer?))\b|免费|不收费|别收费|不要收费|不计费/iu;
/** Words of sayings that something costs nothing. */
const FREELY =
  /^(?:free|charg\w*|anything|nothing|zero|single|house|kosten\w*|nichts|nada|gratis|gratuit\w*|umsonst|rien|plus|免费|不|别|收费)$/iu;

/** Words for zero behind one that says what something counts as. */
const NONE = /^(?:nobody|none|nothing|niemand|keine[rns]?|nichts|nadie|ningun[oa]|nada|personne|aucune?|rien)$/;
const AS = /^(?:as|be|is|means?|for|als|como|comme|:|->)$/;

/** Keys that may be left out. */
const OPTIONAL = words(
  "default minimum maximum minLength maxLength minItems maxItems pattern rate concurrency dailyCost",
);
const WITHOUT = words(
  "no without remove drop unset clear lift lose kein keine keinen ohne sin sans aucun aucune 没有 去掉 删除 取消",
);

/** The values that a message may give to a place, or that it is to have none. */
export function guessPlace(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  return [...guessReset(clause, place), ...guessGiven(clause, place, mood, places)];
}

/** "with_food should have no default" */
function guessReset(clause: Clause, { thing, key, file, at, now }: Place): readonly Guess[] {
  const keys = clause.keys.get(key)?.flat() ?? [];
  const without = clause.tokens.flatMap(({ lower }, place) =>
    WITHOUT.has(lower) && keys.some((word) => word > place && word <= place + 3) ? [place] : [],
  );
  const isOptional = OPTIONAL.has(key) && thing.kind !== "parameter";
  if (!isOptional || now === undefined || without.length === 0) return [];
  return [
    {
      name: `${file}#${at.join("/")}=`,
      signs: { reset: 1, key: 1, ...(thing.field?.side === "output" ? { output: 1 } : {}) },
      words: [...keys, ...without],
      core: without,
      deed: async (bench) => {
        if (await bench.remove(file, at)) bench.say(describeGone({ key, thing }, now));
      },
    },
  ];
}

/** "If it is not filled in, it counts as nobody" */
function guessNone(clause: Clause, place: Place): readonly Guess[] {
  const keys = clause.keys.get("default")?.flat() ?? [];
  const at = clause.tokens.findIndex(
    ({ lower }, word) => NONE.test(lower) && AS.test(clause.tokens[word - 1]?.lower ?? ""),
  );
  if (place.key !== "default" || keys.length === 0 || at < 0 || typeof place.now !== "number" || place.now === 0)
    return [];
  return [toGuess(place, 0, { number: 1, key: 1, longKey: 1, marked: 1, verb: 1 }, [...keys, at], [at])];
}

function guessGiven(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { accepts } = place;
  const keys = clause.keys.get(place.key)?.flat() ?? [];
  switch (accepts.kind) {
    case "number":
      // "It is free today; one unit per call": a number says what it is to be.
      if (place.key === "cost" && FREE.test(clause.text) && place.now !== 0 && clause.amounts.length === 0)
        return [toFree(clause, place, keys)];
      return [
        ...withUnits(clause.amounts).flatMap((amount) => guessNumber(clause, place, amount, mood, places)),
        ...guessNone(clause, place),
      ];
    case "choice":
      return guessChoice(clause, place, accepts.values, mood, places);
    case "boolean":
      return guessBoolean(clause, place, mood);
    case "text":
      return [
        ...guessText(clause, place, mood, places),
        ...(place.key === "pattern" ? guessPattern(clause, place) : []),
        ...(place.key === "default" ? guessDefaultText(clause, place) : []),
      ];
    case "list":
      return accepts.of === "value"
        ? [
            ...guessValues(clause, place, mood, places),
            ...guessRuns(clause, place, mood, places),
            ...guessSwaps(clause, place, places),
          ]
        : [];
    default:
      return [];
  }
}

/** A cost of nothing; explains the number that it is so far. */
function toFree({ tokens, negators, amounts }: Clause, place: Place, keys: readonly number[]): Guess {
  const present = amounts.filter(({ value }) => value === place.now);
  const said = tokens.flatMap(({ lower }, at) => (FREELY.test(lower) ? [at] : []));
  return toGuess(place, 0, { number: 1, key: 1, near: 1, ...(present.length > 0 ? { now: 1 } : {}) }, [
    ...keys,
    ...said,
    ...negators,
    ...present.flatMap((amount) => amount.tokens),
  ]);
}

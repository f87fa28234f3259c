import type { Clause } from "../clause.ts";
import type { Place, Places } from "../places/places.ts";
import { guessValues } from "./guess-list.ts";
import { guessText } from "./guess-text.ts";
import { type Guess, guessBoolean, guessChoice, guessNumber, toGuess, withUnits } from "./guess-value.ts";
import type { Mood } from "./mood.ts";

const FREE = /\b(?:free|kostenlos|gratis|gratuite?|no charge|nothing)\b|免费/i;

/** The values that a message may give to a place. */
export function guessPlace(clause: Clause, place: Place, mood: Mood, places: Places): readonly Guess[] {
  const { accepts } = place;
  const keys = clause.keys.get(place.key)?.flat() ?? [];
  switch (accepts.kind) {
    case "number":
      if (place.key === "cost" && FREE.test(clause.text) && place.now !== 0)
        return [toGuess(place, 0, { number: 1, key: 1 }, keys)];
      return withUnits(clause.amounts).flatMap((amount) => guessNumber(clause, place, amount, mood));
    case "choice":
      return guessChoice(clause, place, accepts.values, mood);
    case "boolean":
      return guessBoolean(clause, place, mood);
    case "text":
      return guessText(clause, place);
    case "list":
      return accepts.of === "value" ? guessValues(clause, place, mood, places) : [];
    default:
      return [];
  }
}

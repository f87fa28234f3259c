import type { Clause } from "../clause.ts";
import type { Place } from "../places/places.ts";
import { type Guess, toGuess } from "./guess-value.ts";

/** A quoted text as the default of a field, beside a word for defaults or in place of the present one. */
export function guessDefaultText(clause: Clause, place: Place): readonly Guess[] {
  const keys = clause.keys.get("default")?.flat() ?? [];
  const quoted = clause.tokens.flatMap(({ kind, text }, at) =>
    kind === "quoted" && text !== "" ? [{ text, at }] : [],
  );
  const present = quoted.filter(({ text }) => text === place.now);
  const fresh = quoted.filter(({ text }) => text !== place.now);
  if (fresh.length !== 1 || (keys.length === 0 && present.length === 0)) return [];
  return fresh.map(({ text, at }) =>
    toGuess(
      place,
      text,
      {
        text: 1,
        quoted: 1,
        ...(keys.length > 0 ? { key: 1 } : {}),
        ...(present.length > 0 ? { now: 1, verb: 1 } : {}),
        ...(place.now === undefined ? { unset: 1 } : {}),
      },
      [at, ...present.map((one) => one.at), ...keys],
      [at],
    ),
  );
}

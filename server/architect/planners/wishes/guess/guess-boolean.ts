import type { Clause } from "../clause.ts";
import { has } from "../drafts/draft.ts";
import type { Place } from "../places/places.ts";
import { saysHarmless } from "../words/key-words.ts";
import { NEGATORS, NONE } from "../words/word-lists.ts";
import { type Guess, keySigns, NEAR, TEXTS, toGuess } from "./guess-value.ts";
import type { Mood } from "./mood.ts";

const ON = /^(?:on|true|yes|enabled?|an|ja|sí|oui|开启)$/;
const OFF = /^(?:off|false|no|disabled?|aus|nein|not|none|never|n['’]t|kein\w*|nicht|ne|pas|关闭|不)$/;

/** "Unless somebody says otherwise" switches nothing off. */
const CONDITION = /^(?:unless|except|otherwise|außer|salvo|sauf)$/;

/** A switch: on or off, as words or negations say; where nothing does, the other one than it is. */
export function guessBoolean(clause: Clause, place: Place, mood: Mood): readonly Guess[] {
  const keys = clause.keys.get(place.key)?.flat() ?? [];
  // "Thirty calls per tenant" are a limit.
  if (
    place.key === "tenantScoped" &&
    clause.amounts.length > 0 &&
    keys.some((at) => clause.tokens[at]?.lower === "per")
  )
    return [];
  const on = clause.tokens.flatMap(({ lower }, at) => (ON.test(lower) ? [at] : []));
  // What a tool says of itself is negated right before it: "draining a machine twice does nothing, so it is idempotent".
  const isNear = (at: number) => place.key === "default" || keys.some((key) => key > at && key - at <= NEAR);
  // "No default" is none, and not one that is off; "should not promote" is.
  const isNone = (at: number) => keys.includes(at + 1) && NONE.test(clause.tokens[at]?.lower ?? "");
  const off = clause.tokens.flatMap(({ lower }, at) =>
    OFF.test(lower) && !isNone(at) && (!NEGATORS.has(lower) || isNear(at)) ? [at] : [],
  );
  const negators = clause.negators.filter(
    (at) => !isNone(at) && isNear(at) && !CONDITION.test(clause.tokens[at]?.lower ?? ""),
  );
  const isOff =
    off.length > 0 || negators.length > 0 || has(clause, "disable", "stop") || (mood.isGone && place.key === "default");
  const isOn = has(clause, "enable") || (on.length > 0 && !isOff);
  if (keys.length === 0 && !(place.key === "default" && (isOn || isOff))) return [];
  const value = place.now !== true;
  if (value && place.key === "sideEffect" && saysHarmless(clause.text)) return [];
  const fits = value ? isOn || !isOff : isOff;
  const words = [...keys, ...(value ? on : [...off, ...negators])];
  return [
    toGuess(
      place,
      value,
      {
        boolean: 1,
        ...keySigns(clause, place, TEXTS),
        // "It promotes its winner by itself" does not want the other way.
        ...(fits ? { verb: 1 } : { against: 1, unsure: 1 }),
        ...(value ? (isOn ? { marked: 1 } : {}) : off.length > 0 ? { marked: 1 } : {}),
      },
      words,
    ),
  ];
}

import { likelihoodOf } from "../intent/read-intent.ts";
import { type KeyWord, saysHarmless } from "../words/key-words.ts";
import type { Guess } from "./guess-value.ts";
import { toGuess } from "./guess-value.ts";
import { type Aim, toolsNear } from "./access/near-tools.ts";

/** Tools that a message may say something of. */
const MEANT = 3;
/** Likelihood from which on a message may be about what a tool promises. */
const LIKELY = 0.12;
/** How people say what a tool promises, without its name. */
const PROMISES: readonly (readonly [KeyWord, RegExp])[] = [
  [
    "idempotent",
    /idempot|\b(?:twice|second time|repeat\w*|retr(?:y|ies|ied|ying)|re-?tried|more than once|doubly|again|zweimal|nochmal|erneut|wiederhol\w*|dos veces|repet\w*|deux fois|deuxième fois)\b|répét|重复|两次|再次|幂等/iu,
  ],
  [
    "deterministic",
    /determin|déterminis|\b(?:(?:always|forever)[ -]the[ -]same|same[ -](?:answer|result|output|reply|response|thing|quote|value|\w+)|constant|cache\w*|random\w*|immer (?:gleich|das ?selbe|die ?selbe\w*)|siempre (?:lo mismo|la misma|el mismo|igual)|toujours (?:la même|le même|pareil\w*))\b|确定|结果(?:都)?(?:一样|相同)/iu,
  ],
  [
    "sideEffect",
    /\b(?:side[ -]?effects?|read[ -]?only|(?:only|just|merely) (?:reads?|looks?|shows?|lists?)|(?:changes?|alters?|modif\w+|writes?|touch\w*) (?:nothing|something|anything)|harmless|nur les\w*|ändert (?:nichts|etwas)|solo (?:lee|lectura)|no (?:cambia|modifica) nada|lecture (?:seule|pure)|ne (?:modifie|change) rien|effets? de bord)\b|只读|副作用/iu,
  ],
  ["interactive", /\b(?:interacti\w*|interaktiv|asks? (?:back|(?:the |a )?(?:person|user|caller)))\b|交互/iu],
];

/** What a tool promises to its callers: "calling off a pickup twice has no further effect", "the price list only reads". */
export function guessPromises({ clause, places, likelihoods, near }: Aim): readonly Guess[] {
  const [on, off] = [likelihoodOf(likelihoods, "promise-on"), likelihoodOf(likelihoods, "promise-off")];
  const said = PROMISES.filter(([key, pattern]) => clause.keys.has(key) || pattern.test(clause.text));
  const isNamed = said.some(([key]) => clause.keys.has(key));
  if (said.length === 0 || (on + off < LIKELY && !isNamed)) return [];
  return toolsNear(near, MEANT).flatMap(({ thing, signs, words }) =>
    (places.placesOf.get(thing) ?? []).flatMap((place): readonly Guess[] => {
      const pattern = said.find(([key]) => key === place.key)?.[1];
      if (pattern === undefined) return [];
      const value = place.now !== true;
      if (value && place.key === "sideEffect" && saysHarmless(clause.text)) return [];
      // To be called read only is a promise, and to have effects is none.
      const isPromised = place.key === "sideEffect" ? !value : value;
      const keys = clause.keys.get(place.key)?.flat() ?? [];
      const isContrary = isPromised ? off > 2 * on : on > 2 * off;
      return [
        toGuess(
          place,
          value,
          {
            ...signs,
            boolean: 1,
            ...(clause.keys.has(place.key) ? { key: 1 } : { longKey: 1 }),
            ...(isContrary ? { against: 1 } : { verb: 1 }),
          },
          [...words, ...keys, ...saidBy(clause.tokens, pattern), ...clause.negators],
          keys,
        ),
      ];
    }),
  );
}

function saidBy(tokens: Aim["clause"]["tokens"], pattern: RegExp): readonly number[] {
  return tokens.flatMap(({ text }, at) => (pattern.test(text) ? [at] : []));
}

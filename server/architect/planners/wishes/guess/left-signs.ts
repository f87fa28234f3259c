import { type Clause, WEIGHTS } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { PLAIN } from "../words/phrase-index.ts";
import { NEGATORS, STOP, TURNING } from "../words/word-lists.ts";
import type { Guess } from "./guess-value.ts";
import type { Signs } from "./signs.ts";

/** Verbs that ask for something of their own where nothing explains them. */
const CONTRARY = ["remove", "revert", "revoke", "deprecate", "disable", "undeprecate", "promote", "relax"] as const;

/** Words before or behind the name of something: "the arm turbo". */
const NAMING =
  /^(?:arm|role|tool|field|label|parameter|experiment|argument|server|rolle|feld|werkzeug|campo|herramienta|rol|champ|outil|rôle)$/;

/** Words between two wishes of one sentence: "drop fax, and rename it". */
const JOINING = /^(?:and|but|also|then|plus|und|aber|y|pero|et|mais|[,;，；])$/i;

/** Ends of sentences. */
const END = /[.!?](?=\s)|[;\n。！？；]/gu;

/**
 * The words of a clause that a guess leaves aside, by their kinds. What turns a wish round, or is one of its own, counts only in
 * the sentences that the guess is made of: others give the reasons.
 */
export function leftSigns(clause: Clause, guess: Guess, { frequency, identifiers, vocabulary }: Places): Signs {
  const said = new Set(guess.words);
  const isLeft = (at: number) => !said.has(at);
  const isNear = toNear(clause, guess);
  const counted = new Set(clause.amounts.flatMap(({ tokens }) => tokens));
  // The unit of a number may be explained by what is changed, and the number not.
  const numbers = clause.amounts.filter(({ tokens: [number = -1] }) => isLeft(number)).length;
  let [quoted, name, known, unknown] = [0, 0, 0, 0];
  for (const [at, { kind, lower, stems }] of clause.tokens.entries()) {
    if (!isLeft(at) || kind === "sign" || counted.has(at)) continue;
    if (kind === "quoted") quoted += 1;
    else if (stems.length > 1 && (identifiers.has(lower) || /[_.:]/.test(lower))) name += 1;
    else if (kind !== "word" || STOP.has(lower) || stems.length === 0) continue;
    else if (stems.some((stem) => frequency.has(stem))) known += 1;
    else if (!stems.some((stem) => vocabulary.has(stem) || PLAIN.has(stem))) unknown += 1;
  }
  const isNew = (at: number) => {
    const { kind = "sign", lower = "", stems = [] } = clause.tokens[at] ?? {};
    const isPlain = STOP.has(lower) || stems.some((stem) => vocabulary.has(stem) || PLAIN.has(stem));
    return kind === "word" && stems.length > 0 && !isPlain && isLeft(at);
  };
  const named = [...clause.nouns].filter(
    ([at, kinds]) =>
      !kinds.has("value") && NAMING.test(clause.tokens[at]?.lower ?? "") && (isNew(at + 1) || isNew(at - 1)),
  ).length;
  const turning = clause.tokens.filter(
    ({ lower, kind }, at) =>
      kind === "word" &&
      isLeft(at) &&
      isNear(at) &&
      (TURNING.has(lower) || (clause.weights[at] === WEIGHTS.scope && !NEGATORS.has(lower))),
  ).length;
  const verbs = CONTRARY.filter(
    (action) => clause.actions.get(action)?.every((at) => isLeft(at) && isNear(at)) === true,
  ).length;
  const wishes = [...clause.actions.values()]
    .flat()
    .filter((at) => isLeft(at) && isNear(at) && JOINING.test(clause.tokens[at - 1]?.text ?? "")).length;
  const negators = clause.negators.filter((at) => isLeft(at) && isNear(at)).length;
  return {
    leftNumber: Math.min(4, numbers),
    leftQuoted: Math.min(3, quoted),
    leftName: Math.min(3, name),
    leftKnown: Math.min(6, known),
    leftUnknown: Math.log2(1 + unknown),
    leftNew: Math.min(2, named),
    leftTurn: turning,
    leftVerb: verbs,
    leftWish: wishes,
    leftNegator: Math.min(3, negators),
  };
}

/** Tells of words whether they stand in a sentence that says the value of a guess, or the thing where it takes none. */
function toNear({ text, tokens }: Clause, { core, words }: Guess): (at: number) => boolean {
  const ends = [...text.matchAll(END)].map(({ index }) => index);
  const sentenceOf = (at: number) => ends.filter((end) => end < (tokens[at]?.start ?? 0)).length;
  const own = new Set((core ?? words).map(sentenceOf));
  return (at) => own.size === 0 || own.has(sentenceOf(at));
}

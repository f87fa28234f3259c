import { type Clause, leadsToText, WEIGHTS } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { defaultCases } from "../words/default-case.ts";
import { PLAIN } from "../words/phrase-index.ts";
import { NEGATORS, STOP, TURNING } from "../words/word-lists.ts";
import type { Guess } from "./guess-value.ts";
import { findConditions, findQuantities } from "./limiting-words.ts";
import type { Signs } from "./signs.ts";
import { toNearness } from "./told-parts.ts";

/** Verbs that ask for something of their own where nothing explains them. */
const CONTRARY = ["remove", "revert", "revoke", "deprecate", "disable", "undeprecate", "promote", "relax"] as const;

/** Words before or behind the name of something: "the arm turbo". */
const NAMING =
  /^(?:arm|role|tool|field|label|parameter|experiment|argument|server|rolle|feld|werkzeug|campo|herramienta|rol|champ|outil|rôle)$/;

const UNIVERSAL = /^(?:every|each|all|any|jede[nmrs]?|alle|cada|todos|todas|chaque|tous|toutes)$/;

/** Words between two wishes of one sentence: "drop fax, and rename it". */
const JOINING = /^(?:and|but|also|then|plus|und|aber|y|pero|et|mais|[,;，；])$/i;

/**
 * Finds the words of a clause that a guess leaves aside, by their kinds; what all guesses share is found once. What turns a wish
 * round, limits it, or is one of its own, counts only in the sentences that the guess is made of, and not in parts of them that
 * give the reasons.
 */
export function toLeftSigns(clause: Clause, places: Places): (guess: Guess) => Signs {
  const cases = defaultCases(clause.text);
  const shared: Shared = {
    clause,
    places,
    nearnessOf: toNearness(clause),
    inCases: new Set(
      clause.tokens.flatMap(({ start }, at) =>
        cases.some((one) => start >= one.start && start < one.end) ? [at] : [],
      ),
    ),
    counted: new Set(clause.amounts.flatMap(({ tokens }) => tokens)),
    conditions: findConditions(clause),
    quantities: findQuantities(clause),
  };
  return (guess) => leftSigns(shared, guess);
}

/** What the guesses about one clause have in common. */
interface Shared {
  readonly clause: Clause;
  readonly places: Places;
  readonly nearnessOf: ReturnType<typeof toNearness>;
  /** Words that say when a default counts. */
  readonly inCases: ReadonlySet<number>;
  /** Words of numbers and their units. */
  readonly counted: ReadonlySet<number>;
  readonly conditions: readonly number[];
  readonly quantities: readonly number[];
}

function leftSigns(
  { clause, places, nearnessOf, inCases, counted, conditions, quantities }: Shared,
  guess: Guess,
): Signs {
  const { frequency, identifiers, vocabulary } = places;
  const said = new Set(guess.words);
  const isLeft = (at: number) => !said.has(at);
  const { isNear: isClose, isStated, isTold } = nearnessOf(guess);
  const isNear = (at: number) => isClose(at) && !inCases.has(at);
  // The unit of a number may be explained by what is changed, and the number not.
  const numbers = clause.amounts.filter(({ tokens: [number = -1] }) => isLeft(number) && !isTold(number)).length;
  let [quoted, name, known, unknown] = [0, 0, 0, 0];
  for (const [at, { kind, lower, stems }] of clause.tokens.entries()) {
    if (!isLeft(at) || kind === "sign" || counted.has(at) || leadsToText(clause.tokens, at)) continue;
    if (kind === "quoted") quoted += 1;
    else if (stems.length > 1 && (identifiers.has(lower) || /[_.:]/.test(lower))) name += 1;
    else if (kind !== "word" || STOP.has(lower) || stems.length === 0) continue;
    else if (stems.some((stem) => frequency.has(stem))) known += 1;
    else if (!stems.some((stem) => vocabulary.has(stem) || PLAIN.has(stem)) && !isTold(at)) unknown += 1;
  }
  const isNew = (at: number) => {
    const { kind = "sign", lower = "", stems = [] } = clause.tokens[at] ?? {};
    const isPlain = STOP.has(lower) || stems.some((stem) => vocabulary.has(stem) || PLAIN.has(stem));
    return kind === "word" && stems.length > 0 && !isPlain && isLeft(at);
  };
  /** "For every build" limits nothing. */
  const isUniversal = (at: number) => UNIVERSAL.test(clause.tokens[at - 1]?.lower ?? "");
  const named = [...clause.nouns].filter(
    ([at, kinds]) =>
      !kinds.has("value") && NAMING.test(clause.tokens[at]?.lower ?? "") && (isNew(at + 1) || isNew(at - 1)),
  ).length;
  const turning = clause.tokens.flatMap(({ lower, kind }, at) =>
    kind === "word" &&
    isLeft(at) &&
    isNear(at) &&
    (TURNING.has(lower) || (clause.weights[at] === WEIGHTS.scope && !NEGATORS.has(lower) && !isUniversal(at)))
      ? [at]
      : [],
  );
  const stated = turning.filter(isStated).length;
  const isLeftNear = (at: number) => at < 0 || (isLeft(at) && isNear(at));
  const verbs = CONTRARY.filter((action) => {
    const spots = clause.actions.get(action) ?? [];
    return spots.length > 0 && spots.every((at) => isLeft(at) && isNear(at));
  }).length;
  const wishes = [...clause.actions.values()]
    .flat()
    .filter((at) => isLeft(at) && isNear(at) && isJoined(clause.tokens, at)).length;
  const negators = clause.negators.filter((at) => isLeft(at) && isNear(at)).length;
  return {
    leftNumber: Math.min(4, numbers),
    leftQuoted: Math.min(3, quoted),
    leftName: Math.min(3, name),
    leftKnown: Math.min(6, known),
    leftUnknown: Math.log2(1 + unknown),
    leftNew: Math.min(2, named),
    leftTurn: stated,
    leftLimit: turning.length - stated,
    leftCondition: conditions.filter(isLeftNear).length,
    // What is promoted is given to all in any case.
    leftQuantity: guess.signs.promote === 1 ? 0 : quantities.filter(isLeftNear).length,
    leftVerb: verbs,
    leftWish: wishes,
    leftNegator: Math.min(3, negators),
  };
}

/** Tells whether a verb begins a wish behind another; "status also needs skipped" goes on with its own. */
function isJoined(tokens: Clause["tokens"], at: number): boolean {
  const [before, lead] = [tokens[at - 1], tokens[at - 2]];
  if (!JOINING.test(before?.text ?? "")) return false;
  return (
    !/^(?:also|then)$/i.test(before?.text ?? "") ||
    lead === undefined ||
    lead.kind === "sign" ||
    JOINING.test(lead.text)
  );
}

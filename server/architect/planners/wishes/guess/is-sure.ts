import { maskQuotations } from "../../../message/find-quotations.ts";
import type { Clause } from "../clause.ts";
import { type Action, STOP, words } from "../words/word-lists.ts";
import type { Sign, Signs } from "./signs.ts";

/** Least probability of a guess that is done unasked, and of one about what a message wants in the words of its manifest. */
const SURE = 0.87;
const SURE_AS_SAID = 0.8;
/** The latter of a guess with a mild doubt, where the message clearly wants such a change, and of any with one where it only seems to. */
const MILDLY_SURE = 0.85;
const SURE_ALL_THE_SAME = 0.95;
/** Least probability of a guess about what a message names as the manifest does, tool and all, where it clearly wants such a change. */
const SURE_BY_NAME = 0.7;
/** Least probability of a guess about hosts or permissions, which a message has to want clearly, too. */
const SURE_OF_ACCESS = 0.9;
/** Least probability of a guess with a slight doubt. */
const SURE_IN_DOUBT = 0.93;
/** How much likelier than by chance a message wants such a change, as a binary logarithm, and how likely it may want none, to do so clearly. */
const CLEAR = 1;
const CLEARLY_IDLE = 0.1;
/** The latter of a message that wants such a change more than any other. */
const WANTED_MOST = 3;
const HARDLY_IDLE = 0.25;
/** The latter of a message that only hints at what it wants, as reports of what went wrong do. */
const HINTING_IDLE = 0.03;
/** How likely a message whose wish is done unasked may want no change. */
const IDLE = 0.4;
/** The latter where a message wants such a change more than any other. */
const IDLE_ALL_THE_SAME = 0.6;
const WANTED = 2;
/** The latter where a message says what something is now, and that it is not to be that. */
const IDLE_IN_CONTRAST = 0.8;
const ORDERS: readonly Action[] = ["set", "replace", "raise", "lower"];
/** Signs that keep a guess from being done unasked, however likely it is. */
const DOUBTS: readonly Sign[] = [
  // How the message speaks.
  ...(["forbids", "depends", "inquires", "others"] as const),
  // What of it the guess leaves aside.
  ...(["leftQuoted", "leftName", "leftNew", "leftWish", "leftLimit", "leftCondition", "leftQuantity"] as const),
  // What speaks against it.
  ...(["unsure", "crossed", "otherTime", "otherWords", "everywhere"] as const),
];
/** Doubts of which one alone is outweighed: numbers and verbs beside a wish mostly give its reason, and examples that are given in part are run. */
const SLIGHT: readonly Sign[] = ["leftNumber", "leftVerb", "rough"];
/** Signs of guesses about hosts and permissions, whose change waits for a person in any case. */
const ACCESS: readonly Sign[] = ["elsewhere", "right"];
/** Signs of doubt that a message outweighs by clearly wanting such a change. */
const MILD: readonly Sign[] = ["hints", "leftNegator", "against", "loose", "otherKey", "rename"];
/** Share of the name of a tool that is as good as all of it, and that of what is to change. */
const NAMED = 0.99;
const NAMED_FIELD = 0.9;
/** Words that nothing knows, as the binary logarithm of one more, at most. */
const UNKNOWN = 3;
/** Small words of a known language that a message has; one in another language may have our names, but not these. */
const SMALL_WORDS = 3;
const NOT_AFTER = /(?:\bnot|n['’]t|\bnever) (?:stop|end|finish|decide|conclude)\b[^.!?]*\bafter\b/iu;
const CHINESE = /\p{Script=Han}/u;
const QUESTION = /[?？]/u;
/** Questions that are put to somebody who is to do it: "could you raise ...?"; "can nurses raise ...?" may only want to know. */
const PLEA =
  /\b(?:could|can|would|will) (?:you|we)\b|\b(?:could|might)\b(?! (?:this|that|it|there) (?:break|mean|cause|explain))|\bany chance\b|\b(?:please|pls|bitte|por favor|svp)\b|s['’]il (?:te|vous)|\b(?:kannst|könntest|könntet|könnten|podrías|podríais|podéis|puedes|podemos|pourriez|pourrais|peux-tu|pouvez|peut-on)\b|能不能|能否|可否|请/iu;

/** Words of those who want something: "lookahead is 24, not 16" may only say how it is. */
const ORDERED =
  /\b(?:should|shall|must|needs?|has to|have to|let|make|set|please|pls|could|can|give|take|add|allow|remove|drop|delete|raise|lower|bump|cap|cut|put|change|rename|mark|use|want|like|prefer|require|redact|increase|decrease|reduce|stop|accept|bitte|soll\w*|muss|müssen|setze?|por favor|debe\w*|pon|añad\w+|doit|devrai\w*|mett\w+|ajout\w+)\b|请|把|应|要|改/iu;
/** Signs that a message leaves "not" or "but" aside, or goes against the guess: a second look outweighs nothing then. */
const TURNS: readonly Sign[] = ["leftNegator", "leftTurn", "against"];
/** Doubts that a second look outweighs, which has seen how likely the guess is and what the message wants. */
const UNLIKELY: ReadonlySet<string> = new Set(["unlikely", "unclear"]);
/** Least probability of a guess that a second look outweighs doubts of. */
const LIKELIEST = 0.4;
/** Doubts that it outweighs where it is certain, where it is certain of one change alone, and where it is surest of that. */
const OUTWEIGHED: ReadonlySet<string> = words("unlikely unclear idle number told ofText unknown language question");
const ALONE = "unlikely unclear idle told ofText unknown language unsure leftNumber leftVerb";
const OUTWEIGHED_ALONE: ReadonlySet<string> = words(ALONE);
const OUTWEIGHED_ALWAYS: ReadonlySet<string> = words(
  `${ALONE} question inquires forbids leftCondition leftQuantity leftNew`,
);

/** A guess as it is judged. */
export interface Judged {
  readonly signs: Signs;
  /** Its probability. */
  readonly share: number;
  /** True where a sentence of the message is one of those that could take a wish back. */
  readonly mayBeTakenBack: boolean;
}

/** What is known of a guess besides its signs. */
interface Known {
  readonly share: number;
  /** True: messages speak of such a change in words that a second look is enough for. */
  readonly isSettled: boolean;
  /** True: a second look is certain of it. */
  readonly isCertain: boolean;
  /** True: it is certain, too, that this change is meant, which is one alone. */
  readonly isAlone: boolean;
  /** True: it is so sure of this change that conditions and questions are no doubt about it. */
  readonly isAlways: boolean;
  readonly doubts: Doubts;
}

/**
 * Tells whether a guess explains all of a message that asks for one thing plainly. A message that clearly wants such a change outweighs faint
 * doubts, and one slight doubt where hardly anything else can be meant. Where the message orders it, a second look outweighs how unlikely a
 * settled change is, and from some certainty on more doubts about any change, and about one alone even where nothing orders it.
 */
export function isSure(clause: Clause, signs: Signs, known: Known): boolean {
  const { share, isSettled, isCertain, isAlone, isAlways } = known;
  const { faint, slight, grave } = known.doubts;
  const has = (sign: Sign) => (signs[sign] ?? 0) !== 0;
  const toOutweighed = (doubts: ReadonlySet<string>) => (doubt: string) =>
    doubts.has(doubt) && !(doubt === "unclear" && ACCESS.some(has));
  const isTurned = TURNS.some(has);
  const least = isAlways ? OUTWEIGHED_ALWAYS : OUTWEIGHED_ALONE;
  if (isAlone && share >= LIKELIEST && !isTurned && [...grave, ...slight, ...faint].every(toOutweighed(least)))
    return true;
  if (signs.asks === 1 && share >= LIKELIEST && ORDERED.test(clause.text) && !isTurned && (isSettled || isCertain)) {
    const isOutweighed = toOutweighed(isCertain ? OUTWEIGHED : UNLIKELY);
    return grave.every(isOutweighed) && (isSettled || slight.every(isOutweighed));
  }
  if (grave.length > 0 || slight.length > 1) return false;
  if (slight.length + faint.length === 0) return true;
  return wantsClearly(signs) && (slight.length === 0 || share >= SURE_IN_DOUBT);
}

/** The doubts about a guess, by name. */
export interface Doubts {
  readonly faint: readonly string[];
  readonly slight: readonly string[];
  readonly grave: readonly string[];
}

/** Finds what speaks against doing a guess unasked: grave doubts always do. */
export function findDoubts(
  { tokens, text, amounts, actions, keys }: Clause,
  { signs, share, mayBeTakenBack }: Judged,
): Doubts {
  const has = (sign: Sign) => (signs[sign] ?? 0) !== 0;
  const isClear = wantsClearly(signs);
  const isMild = mayBeTakenBack || MILD.some(has);
  const isOfAccess = ACCESS.some(has);
  const isByName = isClear && (signs.intent ?? 0) >= WANTED && (signs.idle ?? 0) < CLEARLY_IDLE && isPinned(signs);
  const usual = isMild ? (isClear ? MILDLY_SURE : SURE_ALL_THE_SAME) : SURE_AS_SAID;
  const asSaid = isByName ? SURE_BY_NAME : usual;
  const least = isOfAccess ? SURE_OF_ACCESS : isAsSaid(signs) ? asSaid : Math.max(SURE, usual);
  const unknown = signs.leftUnknown ?? 0;
  const smallWords = tokens.filter(({ lower }) => STOP.has(lower)).length;
  const grave = {
    unlikely: share < least,
    unclear: !isClear && (isOfAccess || has("hints")),
    idle:
      (signs.idle ?? 0) >=
      toMostIdle(
        signs,
        share,
        ORDERS.some((action) => actions.has(action)),
      ),
    silent: signs.asks !== 1 && signs.hints !== 1,
    // A thing goes, or gets another name, only where a word says so.
    noVerb:
      (has("noVerb") &&
        (has("example") || has("removeTool") || has("stop") || (has("removeValue") && !has("noMore")))) ||
      (has("rename") && !has("marked") && !actions.has("rename")),
    // "From 5 to 6" where it is 4.
    from: (signs.now ?? 0) === 0 && amounts.some(({ role }) => role === "from"),
    // A number that only fits somewhere could be about anything.
    number: signs.number !== undefined && (signs.name ?? 0) === 0 && (signs.now ?? 0) === 0,
    // "Playful is no longer a valid tone" does not choose it.
    denied: has("choice") && has("leftNegator") && !has("contrast") && !has("now"),
    // "The verbose arm" may be one that there is not, whatever arm has a like name.
    unnamed: has("promote") && has("marked") && !has("exact"),
    // What an example lacks is no reason that goes with it, nor is a share of callers; and a right is for whom it names.
    unknown: unknown > 0 && has("rough"),
    lacking: (has("newExample") || has("promote")) && has("leftNumber"),
    // What needs no verb to be meant is easily only told.
    told: (signs.idle ?? 0) >= CLEARLY_IDLE && (has("boolean") || (has("newExample") && has("noIntent"))),
    // "It should not stop after 60 samples": sooner, or later.
    endless: NOT_AFTER.test(text),
    // "The instructions still say eleven hours" is about a text.
    ofText: has("number") && (["instructions", "description", "title"] as const).some((key) => keys.has(key)),
    // The agent's own texts are never changed on a guess.
    agent: has("agent") && has("text"),
    // Where a text ends that nothing marks is a guess of its own.
    loose: has("loose") && has("text") && !has("marked"),
  };
  const faint = {
    // "Only" and "but" in a part of a sentence that says how something is belong to a reason.
    turn: has("leftTurn"),
    // Who gets a right is named by its role, whatever else is said of them; permissions wait for a person in any case.
    unknown: unknown > 0 && has("right"),
  };
  const slight = {
    unknown: !has("right") && (unknown > UNKNOWN || (unknown > 0 && isOfAccess)),
    language: unknown > 1 && smallWords < SMALL_WORDS && !CHINESE.test(text),
    question: QUESTION.test(maskQuotations(text)) && !(isClear && PLEA.test(text)),
  };
  const namesOf = (doubts: Readonly<Record<string, boolean>>) =>
    Object.entries(doubts).flatMap(([name, is]) => (is ? [name] : []));
  return {
    faint: namesOf(faint),
    slight: [...namesOf(slight), ...SLIGHT.filter(has)],
    grave: [...namesOf(grave), ...DOUBTS.filter(has)],
  };
}

/** How likely a message may want no change for a guess to be done unasked. */
function toMostIdle({ now, contrast, intent = 0, name = 0 }: Signs, share: number, isOrder: boolean): number {
  if (share < SURE_ALL_THE_SAME) return IDLE;
  if (isOrder && now === 1 && contrast === 1 && name >= NAMED) return IDLE_IN_CONTRAST;
  return intent >= WANTED ? IDLE_ALL_THE_SAME : IDLE;
}

/** Tells whether a message names what is to change as its manifest does, and its tool. */
function isPinned({ exact = 0, tool = 0 }: Signs): boolean {
  return exact === 1 && tool >= NAMED;
}

/**
 * Tells whether a message names what is to change and says what about it, in words that want such a change more than any other. Where a text
 * ends that nothing marks is a guess.
 */
function isAsSaid({ name = 0, key, verb, intent = 0, asks, loose }: Signs): boolean {
  const isSaid = name >= NAMED_FIELD && (key ?? verb ?? 0) !== 0 && intent >= WANTED_MOST && asks === 1;
  return isSaid && (loose ?? 0) === 0;
}

/** Tells whether a message wants such a change, by its words, and probably not none. */
function wantsClearly(signs: Signs): boolean {
  const wants = (signs.intent ?? 0) >= WANTED_MOST ? HARDLY_IDLE : CLEARLY_IDLE;
  const least = (signs.hints ?? 0) === 0 ? wants : HINTING_IDLE;
  return (signs.intent ?? 0) >= CLEAR && (signs.idle ?? 0) < least;
}

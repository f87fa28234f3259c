import type { Clause } from "./clause.ts";
import type { Heard } from "./heard.ts";
import { idleness, likelihoodOf, type Likelihoods, readIntent } from "./intent/read-intent.ts";
import { isIdentifierOf } from "./drafts/draft.ts";
import type { Places } from "./places/places.ts";
import { splitAt } from "./parts/split-at.ts";
import type { Action } from "./words/word-lists.ts";
import { type Stance, stanceOf } from "./stance.ts";

/** How likely a sentence wants no change: one that says it wants more, one that names or orders something, one that names another tool, and one that only hints at it. */
const ADDING_IDLE = 0.97;
const IDLE = 0.3;
const OTHER_IDLE = 0.6;
const HINTING_IDLE = 0.1;
/** How likely a sentence, or a part of one, wants something that only code can do, to do so. */
const CODE = 0.6;
/** Words that a further wish begins with. */
const ADDING =
  /^\W*(?:(?:oh|and|then|yes|ah|ps|btw|und|y|et)\W+)*(?:also|additionally|furthermore|moreover|likewise|in addition|on top of (?:that|this)|besides|plus|next|finally|lastly|secondly|thirdly|(?:one|a|another|second|third|last|final) (?:more |other |further |last |second |third )?(?:thing|wish|point|request)|while (?:you|we)(?:['’]re| are) (?:at|on) it|(?:oh,? )?and(?! (?:thanks?|so|that|yes|no)\b)|au[sß]+erdem|zudem|ferner|noch etwas|und noch|también|además|aussi|de plus|en outre|par ailleurs)(?!\p{L})|^\W*(?:另外|还有|此外|同时|而且)/iu;

/** Between parts of a sentence that each may be a wish. */
const BETWEEN = /;\s+|\n|,?\s+plus\s+|,?\s+and also\s+|；/iu;
const AND = /(?:^|,?\s+)(?:and|then|und|y|et)\s+(?:(?:also|then|please)\s+)?/iu;
const OUGHT = /\b(?:should|must|ha(?:s|ve) to|needs?(?: to)?|ought to|please|pls|missing)\b/iu;

/** A plan in terms of the clause that it is read from. */
export interface Made {
  readonly clause: Clause;
  /** Names of its changes. */
  readonly names: readonly string[];
  /** The words that it is made of. */
  readonly words: readonly number[];
}

/** Tells whether a sentence asks for something of its own that nothing of a plan is made of. */
export function leavesSentence(heard: readonly Heard[], { clause, names, words }: Made, { version }: Places): boolean {
  const made = names.join(" ");
  const tools = [...version.tools.values()];
  const verbs = new Set([...clause.actions.values()].flat());
  // The verb of one part may stand for that of another.
  const isTouched = (piece: Piece) => (at: number) => words.includes(at) && !(piece.isPart && verbs.has(at));
  let end = 0;
  return heard.flatMap(toPieces).some((piece) => {
    const start = clause.text.indexOf(piece.text, end);
    if (start < 0) return false;
    end = start + piece.text.length;
    const last = end;
    const own = clause.tokens.flatMap((token, at) => (token.start >= start && token.end <= last ? [at] : []));
    const named = tools.filter((tool) => own.some((at) => isIdentifierOf(tool, clause.tokens[at]?.lower ?? "")));
    const isOther = named.length > 0 && !named.some(({ name, file }) => made.includes(name) || made.includes(file));
    // Words such as "farm" in "draw a map of the farm" may be of the names of anything.
    const likelihoods = readIntent(piece.text);
    const isCode = isForCode(likelihoods);
    const touched = own.filter(isTouched(piece));
    const isAll = own.every((at) => (clause.weights[at] ?? 0) === 0 || touched.includes(at));
    const isMade = isCode
      ? isAll || touched.some((at) => isName(clause, at))
      : touched.length > 0 && !leavesVerb(piece, clause, own, words);
    return (isOther || !isMade) && (isCode || asksForMore(piece, clause, own, idleness(likelihoods), isOther));
  });
}

/** Verbs that hardly say why something else is wanted. */
const DECIDED: readonly Action[] = ["deprecate", "undeprecate", "require", "relax", "revoke", "rename", "promote"];

/** Words that are verbs of such actions, and mostly say something else: "4 calls a minute", "an arm named brief", "use 5". */
const UNDECIDED =
  /^(?:calls?|called|calling|names?|named|titled?|labell?ed|use[sd]?|aufrufe?n?|appels?|llamadas?|nombres?|noms?|heißt|gives?|given?)$/u;

/** Tells whether a sentence that asks for something has a decided verb of which nothing is made: "flag it as deprecated". */
function leavesVerb(
  { stance }: Piece,
  { actions, tokens }: Clause,
  own: readonly number[],
  words: readonly number[],
): boolean {
  const verbs = DECIDED.flatMap((action) => actions.get(action) ?? []).filter(
    (at) => own.includes(at) && !UNDECIDED.test(tokens[at]?.lower ?? ""),
  );
  return stance === "asks" && verbs.length > 0 && !verbs.some((at) => words.includes(at));
}

/** Finds the parts of a sentence behind "and" that only want what code can do, and name nothing: "... and draw a map". */
function partsForCode(text: string): readonly string[] {
  return splitAt(text, AND)
    .slice(1)
    .filter((part) => !/[\w](?:[._]\w)|\d|["“'\x60]/u.test(part) && isForCode(readIntent(part)));
}

/** Tells whether a text wants something that only code can do, by its words. */
function isForCode(likelihoods: Likelihoods): boolean {
  return likelihoodOf(likelihoods, "code") >= CODE;
}

/** A sentence, or what semicolons, ends of lines and words such as "plus" make of one. */
interface Piece {
  readonly text: string;
  readonly stance: Stance;
  /** True: only a part of a sentence. */
  readonly isPart: boolean;
}

function toPieces(one: Heard): readonly Piece[] {
  const stance = stanceOf(one);
  const pieces = splitAt(one.sentence.text, BETWEEN).flatMap((piece) =>
    partsForCode(piece).length > 0 ? splitAt(piece, AND) : [piece],
  );
  return pieces.map((text) => ({ text, stance, isPart: pieces.length > 1 }));
}

/** Tells whether a sentence beside clear ones asks for something of its own. */
export function leavesOpenSentence(heard: readonly Heard[], clause: Clause, places: Places): boolean {
  const isPartly = ({ resolved, sentence }: Heard) =>
    resolved?.kind === "clear" && partsForCode(sentence.text).length > 0;
  if (heard.some(isPartly)) return true;
  const open = heard.filter(({ resolved }) => resolved?.kind !== "clear");
  return leavesSentence(open, { clause, names: [], words: [] }, places);
}

/** Tells whether a sentence that was not understood asks for something of its own: it says so, or orders or names something. */
function asksForMore(
  { text, stance, isPart }: Piece,
  clause: Clause,
  own: readonly number[],
  idle: number,
  isOther: boolean,
): boolean {
  if (stance !== "asks" && stance !== "hints") return false;
  if (stance === "asks" && !isPart && addsWish(text) && idle < ADDING_IDLE) return true;
  if (idle >= (stance === "asks" ? (isOther ? OTHER_IDLE : IDLE) : HINTING_IDLE)) return false;
  const orders = [...clause.actions.values()].flat().some((at) => own.includes(at));
  // The reason for a wish names things, too.
  if (isPart) return orders || OUGHT.test(text);
  return own.some((at) => isName(clause, at)) || (stance === "asks" && orders);
}

/** Tells whether a word is written as names in manifests are, or is a number or a quotation. */
function isName({ tokens }: Clause, at: number): boolean {
  const { kind, lower = "" } = tokens[at] ?? {};
  return kind === "quoted" || /[_.]\p{L}|\d/u.test(lower);
}

/** Tells whether a sentence says that it adds a further wish. */
export function addsWish(text: string): boolean {
  return ADDING.test(text);
}

/** A sentence without the words that it adds a further wish with. */
export function withoutAdding(text: string): string {
  const rest = text.replace(ADDING, "").replace(/^[\s,:;–—-]+/u, "");
  return rest === "" ? text : rest;
}

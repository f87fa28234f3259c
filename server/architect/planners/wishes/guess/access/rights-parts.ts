import type { Clause } from "../../clause.ts";
import { findCapability } from "../../drafts/find-capability.ts";
import type { Places, Thing } from "../../places/places.ts";
import { STOP } from "../../words/word-lists.ts";
import { type Mark, readMark } from "./role-marks.ts";

/** A role that a part of a message names. */
interface NamedRole {
  readonly role: Thing;
  readonly at: number;
  /** All words of its name: "night watch". */
  readonly words: readonly number[];
  readonly mark: Mark | undefined;
}

/** A right that a part of a message names. */
interface NamedRight {
  readonly right: string;
  readonly at: number;
  readonly mark: Mark | undefined;
}

/** A part of a message, with what it says of roles and rights. */
export interface RightsPart {
  readonly text: string;
  readonly words: readonly number[];
  readonly roles: readonly NamedRole[];
  readonly rights: readonly NamedRight[];
  /** Whether it gives, or takes; absent: its own words do not say. */
  readonly isGiven?: boolean;
  /** True: it says nothing else than names. */
  readonly isList: boolean;
  /** True: what it names stays as it is. */
  readonly isStay: boolean;
  /** True: it says of what the part before it says that it is not meant for what it names. */
  readonly isDenied: boolean;
  /** True: it speaks of what was named before. */
  readonly isPronoun: boolean;
  /** True: it leaves open whether it is meant. */
  readonly isOpen: boolean;
}

/** Words between the parts of a message. */
const BETWEEN =
  /^(?:and|or|but|so|because|since|whereas|while|und|oder|aber|weil|denn|dafür|während|y|e|o|pero|porque|mientras|et|ou|mais|car|tandis|而|但|或|[;.,，；。:：–—])$/;
const ALTERNATIVE = /^(?:or|oder|o|ou|或)$/;
/** Words that begin a part of their own where a name follows. */
const WITHOUT = /^(?:not|never|without|nicht|ohne|no|sin|pas|sans)$/;
const TAKES =
  /\b(?:los(?:e|es|ing)|(?:can|may|should|must) (?:also )?(?:go\b(?! to\b)|be (?:gone|dropped|removed|revoked|withdrawn|taken))|tak(?:e|es|en)\b.{0,50}\b(?:away|from|off|back)|revok\w+|withdr\w+|strip\w*|remov\w+|drops?|hands? (?:over|back|in)|gives? (?:up|back)|no longer|not\b.{0,30}\bany ?(?:more|longer)|needs? no\b|(?:must|may|can|should)(?:n['’]t| ?not)|without|minus|verlier\w+|entz(?:ieh|og)\w+|(?:darf|soll|kann)\b.{0,30}\b(?:nicht|kein\w*)|gibt?\b.{0,40}\bab|pierd\w+|qu[ií]t\w+|retir\w+|ya no|perd\w*|enlev\w+|ne\b.{0,30}\bplus)\b|-=|收回|失去|不再|去掉|取消/iu;
const GIVES =
  /\b(?:(?:should|ought to|must) (?:also |now |both |all |be able to |be allowed to )*(?:see|have|hold|use|call|run|read|reach)|let(?:s|ting)?\b.{1,40}\b(?:see|have|hold|use|call|run|read|reach)|gets?|gains?|receiv\w+|grant\w*|gives?|given|add\w*|allow\w*|needs?|may|can|bekomm\w+|erh[aä]lt\w*|darf|dürfen|kann|können|recib\w+|d[aeé]n?(?:le|les)|dad(?:le)?|puede\w*|obt[ie]\w+|reçoi\w+|donne[rz]?|peu(?:t|vent))\b|\+=|获得|得到|可以|授予|加上|给/iu;
const STAYS =
  /\b(?:stays?|remains?|keeps?|kept|leave\b.{1,60}\b(?:alone|be|in place|untouched|as (?:it|they|that|those)\b.{0,20})|bleib\w*|beh(?:ält|alten)|qued[ae]n?|conserv[ae]n?|mantiene\w*|restent?|gard[ae]n?t?|conserve\w*)\b(?!.*\bfrom\b)|保留/iu;
/** Before who is only acted upon by somebody that the same part names: "the watch should be allowed to call skippers". */
const ACTED =
  /\b(?:(?:to|may|can|could|should|must)(?: (?:also|not|never|always))?|let(?:s|ting)? (?:[\w-]+ ){0,3}[\w-]+) (?!(?:add|allow|and|as|assign|be|both|but|enable|extend|get|give|grant|hand|have|hold|let|like|offer|or|pass|permit|plus|remove|return|revoke|take|than|with)\b)\p{L}+ (?:(?:the|our|their|all|any|other|for|of) |\p{L}+ of )*["'\x60]?$/iu;
const PRONOUN = /^(?:it|that|this|these|those|them|es|das|sie|lo|la|los|las|le|les|它|这)$/;
const DOUBTED =
  /\b(?:maybe|perhaps|possibly|probably|vielleicht|eventuell|quizás?|tal vez|peut-être|if|once|unless|until|wenn|falls|si|cuando)\b|也许|可能|如果/iu;
/** Words that belong to what is given or taken. */
const BESIDE =
  /^(?:away|from|back|off|over|up|instead|rights?|permissions?|capabilit\w+|roles?|access|too|also|then|of|course|please|likewise|well|never|open|use[ds]?|no|longer|good|auch|ebenso|también|aussi)$/;

/** Reads the parts of a message one by one, as far as they name roles and rights. */
export function readParts(clause: Clause, places: Places): readonly RightsPart[] {
  const { text, tokens, negators } = clause;
  const roles = tokens.flatMap((_, at) => rolesAt(clause, at, places));
  const rights = tokens.flatMap((token, at): readonly NamedRight[] => {
    const right = roles.some(({ words }) => words.includes(at)) ? undefined : findCapability(token, places);
    return right === undefined ? [] : [{ right, at, mark: markOf(clause, at) }];
  });
  const named = new Set([...roles.flatMap(({ words }) => words), ...rights.map(({ at }) => at)]);
  return toParts(
    clause,
    named,
    roles.filter(({ mark }) => mark === "excepted").map(({ at }) => at),
  ).map(({ words, isAlternative }): RightsPart => {
    const own = text.slice(tokens[words[0] ?? 0]?.start, tokens[words.at(-1) ?? 0]?.end);
    const isStay = STAYS.test(own);
    const isGiven = isStay ? undefined : TAKES.test(own) ? false : GIVES.test(own) ? true : undefined;
    const first = words.find((at) => tokens[at]?.kind !== "sign") ?? -1;
    const isNot = isGiven !== true && WITHOUT.test(tokens[first]?.lower ?? "");
    const isOwn = ({ at }: { readonly at: number }) => words.includes(at);
    const ownRoles = roles.filter(isOwn);
    return {
      text: own,
      words,
      roles: ownRoles.filter(
        ({ at, mark }) => mark !== undefined || at === ownRoles[0]?.at || !ACTED.test(text.slice(0, tokens[at]?.start)),
      ),
      rights: rights.filter(isOwn),
      ...(isGiven === undefined || isNot ? {} : { isGiven }),
      isList: words.every((at) => isAside(clause, at) || named.has(at) || negators.includes(at)),
      isStay,
      isDenied: isNot,
      isPronoun: words.some((at) => PRONOUN.test(tokens[at]?.lower ?? "")),
      isOpen: isAlternative || DOUBTED.test(own),
    };
  });
}

/** Tells whether a word says that something is given or taken, and how. */
export function isShifting({ tokens, negators }: Clause, at: number): boolean {
  const { text = "", lower = "" } = tokens[at] ?? {};
  return (
    negators.includes(at) ||
    TAKES.test(text) ||
    GIVES.test(text) ||
    STAYS.test(text) ||
    BESIDE.test(lower) ||
    /^(?:tak(?:e|es|en)|but|except|every\w*|all|instead|rather|than|only|let)$/.test(lower)
  );
}

/** The places of the words of each part. */
function toParts(
  { tokens }: Clause,
  named: ReadonlySet<number>,
  excepted: readonly number[],
): readonly { readonly words: readonly number[]; readonly isAlternative: boolean }[] {
  const parts: { words: number[]; isAlternative: boolean }[] = [{ words: [], isAlternative: false }];
  const isLead = (at: number) => STOP.has(tokens[at]?.lower ?? "") && !named.has(at);
  for (const [at, { lower, text }] of tokens.entries()) {
    // "Everyone but the foreman" is one.
    const isException = lower === "but" && excepted.some((one) => one > at && one <= at + 3);
    const next = tokens.findIndex((_, place) => place > at && !isLead(place));
    const isWithout =
      WITHOUT.test(lower) && named.has(next) && (named.has(at - 1) || BETWEEN.test(tokens[at - 1]?.lower ?? ""));
    if ((BETWEEN.test(lower) || BETWEEN.test(text)) && !isException)
      parts.push({ words: [], isAlternative: ALTERNATIVE.test(lower) });
    else if (isWithout) parts.push({ words: [at], isAlternative: false });
    else parts.at(-1)?.words.push(at);
  }
  return parts.filter(({ words }) => words.length > 0);
}

/** The role whose name begins at a word: as it is written, or as several of its kind; one that is a plain word only beside the word for roles. */
function rolesAt(clause: Clause, at: number, { things }: Places): readonly NamedRole[] {
  const { tokens, nouns } = clause;
  const { lower = "", stems = [], kind } = tokens[at] ?? {};
  if (kind === "sign" || kind === "number" || stems.length === 0) return [];
  return things.flatMap((role) => {
    const length = role.kind === "role" ? lengthOf(role, tokens, at) : 0;
    if (length === 0) return [];
    const words = Array.from({ length }, (_, step) => at + step);
    const isBeside = [at - 1, at + length].some((place) => nouns.get(place)?.has("role") === true);
    const mark = markOf(clause, at, at + length - 1);
    // A plain word may be a role that another one is set against: "rather than the agent".
    const isMeant = isBeside || !STOP.has(lower) || (mark !== undefined && mark !== "compared");
    return isMeant ? [{ role, at, words, mark }] : [];
  });
}

/** How many words from one on are the name of a role; 0 where they are not. */
function lengthOf({ role, names }: Thing, tokens: Clause["tokens"], at: number): number {
  const { lower, stems = [] } = tokens[at] ?? {};
  if (lower === role?.toLowerCase() || names.some((name) => name.length === 1 && name[0] === stems.join("_"))) return 1;
  const whole = names.find(
    (name) =>
      name.length > 1 &&
      name.every((stem, step) => tokens[at + step]?.stems.length === 1 && tokens[at + step]?.stems[0] === stem),
  );
  return whole?.length ?? 0;
}

function markOf({ text, tokens }: Clause, first: number, last = first): Mark | undefined {
  const { start = 0 } = tokens[first] ?? {};
  const { end = start } = tokens[last] ?? {};
  return readMark(text.slice(0, start), text.slice(end));
}

function isAside({ tokens }: Clause, at: number): boolean {
  const { kind, lower = "" } = tokens[at] ?? {};
  return kind === "sign" || (kind === "word" && (STOP.has(lower) || BESIDE.test(lower)));
}

import type { Clause } from "../../clause.ts";
import { findCapability } from "../../drafts/find-capability.ts";
import type { Places, Thing } from "../../places/places.ts";
import { STOP } from "../../words/word-lists.ts";

/** Rights that a part of a message gives to a role, or takes from it. */
export interface Shift {
  readonly role: Thing;
  readonly isGiven: boolean;
  readonly rights: readonly string[];
  /** The words that name the rights. */
  readonly core: readonly number[];
  readonly words: readonly number[];
}

/** Words between the parts of a message. */
const BETWEEN =
  /^(?:and|but|whereas|while|und|aber|dafür|während|y|e|pero|mientras|et|mais|tandis|而|但|[;.,，；。:：–—])$/;
const TAKES =
  /\b(?:los(?:e|es|ing)|tak(?:e|es|en)\b.{0,50}\b(?:away|from|off|back)|revok\w+|withdr\w+|strip\w*|remov\w+|drops?|hands? (?:over|back|in)|gives? (?:up|back)|no longer|not\b.{0,30}\bany ?(?:more|longer)|(?:must|may|can|should)(?:n['’]t| ?not)|without|minus|verlier\w+|entz(?:ieh|og)\w+|(?:darf|soll|kann)\b.{0,30}\b(?:nicht|kein\w*)|gibt?\b.{0,40}\bab|pierd\w+|qu[ií]t\w+|retir\w+|ya no|perd\w*|enlev\w+|ne\b.{0,30}\bplus)\b|-=|收回|失去|不再|去掉|取消/iu;
const GIVES =
  /\b(?:(?:should|ought to|must) (?:also |now |both |all |be able to |be allowed to )*(?:see|have|hold|use|call|run|read|reach)|gets?|gains?|receiv\w+|grant\w*|gives?|given|add\w*|allow\w*|needs?|may|can|bekomm\w+|erh[aä]lt\w*|darf|dürfen|kann|können|recib\w+|d[aeé]n?(?:le|les)|dad(?:le)?|puede\w*|obt[ie]\w+|reçoi\w+|donne[rz]?|peu(?:t|vent))\b|\+=|获得|得到|可以|授予|加上|给/iu;
const PRONOUN = /^(?:it|that|this|these|those|them|es|das|sie|lo|la|los|las|le|les|它|这)$/;
/** Words that belong to what is given or taken. */
const BESIDE =
  /^(?:away|from|back|off|over|up|instead|rights?|permissions?|capabilit\w+|roles?|access|too|also|never|open|use[ds]?|no|longer|good)$/;

/** What a message gives to roles and takes from them by names of rights, part by part: "watcher gets build:logs; operator loses architect:tune". */
export function readShifts(clause: Clause, places: Places): readonly Shift[] {
  const shifts: Shift[] = [];
  let roles: readonly Thing[] = [];
  let last: Pick<Shift, "rights" | "core"> | undefined;
  let isGiven: boolean | undefined;
  for (const part of toParts(clause)) {
    const own = part.flatMap((at) => rolesAt(clause, at, places));
    if (own.length > 0) roles = own.map(({ role }) => role);
    const named = part.flatMap((at) => {
      const token = clause.tokens[at];
      const right = token === undefined ? undefined : findCapability(token, places);
      return right === undefined || own.some((one) => one.at === at) ? [] : [{ right, at }];
    });
    const text = clause.text.slice(clause.tokens[part[0] ?? 0]?.start, clause.tokens[part.at(-1) ?? 0]?.end);
    const turn = TAKES.test(text) ? false : GIVES.test(text) ? true : undefined;
    const isList = part.every(
      (at) => isAside(clause, at) || own.some((one) => one.at === at) || named.some((one) => one.at === at),
    );
    isGiven = turn ?? (isList ? isGiven : undefined);
    const pronoun = part.some((at) => PRONOUN.test(clause.tokens[at]?.lower ?? ""));
    const meant =
      named.length > 0 ? { rights: named.map(({ right }) => right), core: named.map(({ at }) => at) } : undefined;
    const said = meant ?? (pronoun && turn !== undefined ? last : undefined);
    last = meant ?? last;
    if (said === undefined || isGiven === undefined) continue;
    const words = part.filter(
      (at) => isShifting(clause, at) || own.some((one) => one.at === at) || said.core.includes(at),
    );
    for (const role of roles) shifts.push({ role, isGiven, ...said, words });
  }
  return shifts;
}

/** The places of the words of each part. */
function toParts({ tokens }: Clause): readonly (readonly number[])[] {
  const parts: number[][] = [[]];
  for (const [at, { lower, text }] of tokens.entries())
    if (BETWEEN.test(lower) || BETWEEN.test(text)) parts.push([]);
    else parts.at(-1)?.push(at);
  return parts.filter(({ length }) => length > 0);
}

/** The role that a word names: as it is written, or as several of its kind; one that is a plain word only beside the word for roles. */
function rolesAt({ tokens, nouns }: Clause, at: number, { things }: Places): readonly { role: Thing; at: number }[] {
  const { lower = "", stems = [], kind } = tokens[at] ?? {};
  if (kind === "sign" || kind === "number" || stems.length === 0) return [];
  const isBeside = [at - 1, at + 1].some((place) => nouns.get(place)?.has("role") === true);
  return things.flatMap((role) => {
    const isName =
      role.kind === "role" &&
      (lower === role.role?.toLowerCase() ||
        role.names.some((name) => name.length === 1 && name[0] === stems.join("_")));
    return isName && (isBeside || !STOP.has(lower)) ? [{ role, at }] : [];
  });
}

function isAside({ tokens }: Clause, at: number): boolean {
  const { kind, lower = "" } = tokens[at] ?? {};
  return kind === "sign" || (kind === "word" && (STOP.has(lower) || BESIDE.test(lower)));
}

function isShifting({ tokens, negators }: Clause, at: number): boolean {
  const { text = "", lower = "" } = tokens[at] ?? {};
  return (
    negators.includes(at) ||
    TAKES.test(text) ||
    GIVES.test(text) ||
    BESIDE.test(lower) ||
    /^tak(?:e|es|en)$/.test(lower)
  );
}

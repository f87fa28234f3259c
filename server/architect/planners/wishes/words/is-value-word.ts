import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import { findLanguage } from "../standing.ts";
import { areCodes, isForeignCode } from "../../directives/codes.ts";
import { words } from "./word-lists.ts";
import type { Token } from "./words.ts";

/** Says of something that nobody needs it. */
export const NEEDLESS =
  /\b(?:superfluous|redundant|surplus|dispensable|überflüssig\w*|entbehrlich\w*|superflu\w*|sobran?)\b|多余/iu;
/** Words for what has values: "the material filter", "the carrier list". */
const HOLDERS = words(
  "filter filters list lists field fields argument arguments parameter parameters option options value values choice choices dropdown menu enum setting settings input column category",
);
const SUBJECT = /^(?:we|i|they|you|wir|ich|nous|je|on)$/;
const MODAL = /^(?:can|could|may|might|will|would|should|must|cannot)$/;
/** Verbs before which somebody stands who is to do something: "conservators want to tick crazing". */
const WANTING =
  /^(?:wants?|wanted|needs?|needed|likes?|wish(?:es)?|has|have|had|able|allowed|supposed|used|going|try|tries|trying)$/;
/** Words behind a noun that stands between a modal and its verb: "could crazing be added?" */
const BEHIND_NOUN = /^(?:be|have|get|go|also|too|as|please|join|become|not)$/;

/** Words before a code in a sentence in English: "the default should be de", "es and nl". */
const BEFORE_CODE = /^(?:be|to|into|in|as|is|and|or|from|with|for|by|of|language|default|add|speak|,|:|=|\/)$/;

/** Tells whether a small word is one of some codes, in a sentence in English, where it says nothing else. */
export function isCodeSaid({ tokens, text }: Clause, at: number, known: readonly Json[]): boolean {
  const isCode = isForeignCode(tokens[at]?.lower ?? "") && areCodes(known);
  return isCode && BEFORE_CODE.test(tokens[at - 1]?.lower ?? "") && findLanguage(text) === "en";
}

/** Tells whether a word says what is to be done, or what has values, or begins "next to plain and warm": no value is one. */
export function isNoValueAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const isBeside = token?.lower === "next" && tokens[at + 1]?.lower === "to";
  const isAny = (place: number) =>
    tokens[place]?.lower === "any" && /^(?:more|longer)$/.test(tokens[place + 1]?.lower ?? "");
  const isMore = token?.lower === "anymore" || isAny(at) || isAny(at - 1);
  return (
    isBeside ||
    isMore ||
    (token?.kind === "word" && (HOLDERS.has(token.lower) || NEEDLESS.test(token.lower) || isVerbAt(tokens, at)))
  );
}

/** Tells whether a word can only be a verb, by the words around it: "want to tick crazing", "we can hire out the library". */
function isVerbAt(tokens: readonly Token[], at: number): boolean {
  const [subject, before, own, behind] = [at - 2, at - 1, at, at + 1].map((place) => tokens[place]);
  if (own?.kind !== "word" || behind === undefined || behind.kind === "sign" || before?.kind !== "word") return false;
  if (BEHIND_NOUN.test(behind.lower)) return false;
  if (SUBJECT.test(before.lower)) return true;
  if (MODAL.test(before.lower)) return subject?.kind === "word" && !/^(?:and|but|or|so)$/.test(subject.lower);
  return before.lower === "to" && WANTING.test(subject?.lower ?? "");
}

/** What stands before "it" where that is Italian. */
const BEFORE_ITALIAN = /^(?:\(|:|add|codes?|values?)$/;
const BETWEEN_CODES = /^(?:,|and|or)$/;

/** Tells whether a word is "it" and not the code of a language: "many of our families speak it". */
export function isPronoun({ tokens }: Pick<Clause, "tokens">, at: number): boolean {
  const [one, last] = [tokens[at - 2]?.lower ?? "", tokens[at - 1]?.lower ?? ""];
  const isCode = BEFORE_ITALIAN.test(last) || (BETWEEN_CODES.test(last) && /^[a-z]{2}$/.test(one));
  return tokens[at]?.text === "it" && tokens[at].kind === "word" && !isCode;
}

import { toStem } from "../words/words.ts";

const CHINESE = /\p{Script=Han}/u;
/** Texts in quotation marks, numbers, words, and signs that say something. */
const PIECES =
  /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|`[^`]*`|\d+(?:[.,]\d+)*|\p{Script=Han}|[\p{L}_][\p{L}\p{M}\p{N}_.:]*(?:['’]\p{L}+)?|->|→|[?!%/+]/gu;
/** Pieces of a message that is short. */
const FEW = 6;
/** Letters by which words of one family are alike. */
const FAMILY = 5;

/**
 * The features of a message by which its intent is told: its words and pairs of them, as stems, what it begins and ends with, and
 * how its words begin. What only this message has is left out: texts in quotation marks, numbers and identifiers are each one word.
 */
export function toFeatures(message: string): ReadonlySet<string> {
  const found = new Set<string>();
  const words: string[] = [];
  let last = "";
  for (const [piece] of message.toLowerCase().normalize("NFKC").matchAll(PIECES)) {
    if (!CHINESE.test(piece)) words.push(toWord(piece));
    else {
      found.add(piece);
      if (last !== "") found.add(last + piece);
      if (words.at(-1) !== "<zh>") words.push("<zh>");
    }
    last = CHINESE.test(piece) ? piece : "";
  }
  for (const [at, word] of words.entries()) {
    found.add(word);
    if (word.length > FAMILY && !word.startsWith("<")) found.add(`${word.slice(0, FAMILY)}~`);
    const [next, second] = words.slice(at + 1, at + 3);
    if (next !== undefined) found.add(`${word} ${next}`);
    if (second !== undefined) found.add(`${word} _ ${second}`);
  }
  const [first = "", ...others] = words;
  found.add(`^${first}`);
  found.add(`^${[first, ...others.slice(0, 2)].join(" ")}`);
  found.add(`$${words.at(-1) ?? ""}`);
  if (words.length < FEW) found.add("<short>");
  return found;
}

function toWord(piece: string): string {
  if (/^["“«„`]/.test(piece)) return "<text>";
  if (/^\d/.test(piece)) return "<number>";
  if (!/^[\p{L}_]/u.test(piece)) return piece;
  if (/[_.:]/.test(piece.slice(0, -1))) return "<name>";
  return toStem(piece.replace("’", "'").replace(/[.:]$/, ""));
}

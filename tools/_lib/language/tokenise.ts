import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

/** A word or a number of a text, and where it stands. */
export interface Token {
  /** As it is written. */
  readonly text: string;
  /** In lower case, without accents. */
  readonly word: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /\p{N}+|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

/** Letters and digits are tokens apart, so that `10km` is a number and a unit. */
export function tokenise(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), ({ 0: found, index }) => {
    const word = fold(found)
      .replace(/['’](?:s|re|ll|ve|d|m)$/, "")
      .replaceAll(/['’]/g, "");
    return { text: found, word, stem: stem(word), start: index, end: index + found.length };
  });
}

/** Reduces a text to its terms: the stems of its words, identifiers split, without stop words. */
export function toTerms(text: string): string[] {
  const apart = text.replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");
  return tokenise(apart)
    .filter(({ word }) => !isStopWord(word))
    .map((token) => token.stem);
}

/** Lower case without accents; not always as long as `text`. */
export function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

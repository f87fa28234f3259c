import type { Ask } from "./overreach.ts";
import { toOwnLines } from "./to-own-lines.ts";

/** What turns a sentence around: a line with one of these names nothing. */
const NEGATION = /\b(?:not|never|no|none|without|nothing|except|avoid|cannot)\b|n['’]t\b/i;

/**
 * Whether a line of a message, in its author's own words, has a word of each group. Words count as a whole and in any
 * case; a line that denies something names nothing.
 */
export function isNamed(message: string, words: Ask["words"]): boolean {
  return hasLine(message, words, (line) => !NEGATION.test(line));
}

/** The same for what is only spoken of: lines that deny something count. */
export function isMentioned(message: string, words: Ask["words"]): boolean {
  return hasLine(message, words, () => true);
}

function hasLine(message: string, words: Ask["words"], counts: (line: string) => boolean): boolean {
  const matchers = words.map((group) => group.map(toMatcher));
  return toOwnLines(message).some(
    (line) => counts(line) && matchers.every((group) => group.some((matcher) => matcher.test(line))),
  );
}

function toMatcher(word: string): RegExp {
  // A full stop belongs to the word when something follows it, as in `api.example.com`.
  return new RegExp(`(?<![\\w./:*-])${RegExp.escape(word)}(?![\\w/:*-]|\\.[\\w*])`, "iu");
}

import type { Message, Sentence } from "../message/message.ts";
import { ownSentences } from "../message/read-message.ts";
import type { Ask } from "./overreach.ts";

/** Words that reverse a sentence, apart from its mood; a sentence with one of them names nothing. */
const NEGATION = /\b(?:not|never|no|none|without|nothing|except|avoid|cannot)\b|n['’]t\b/i;

/**
 * Whether a sentence of the sender's own has a word of each group. Words count as a whole and in any case; a sentence that
 * denies something, asks or makes conditions names nothing.
 */
export function isNamed(message: Message, words: Ask["words"]): boolean {
  const counts = ({ mood, text }: Sentence) => (mood === "imperative" || mood === "report") && !NEGATION.test(text);
  return hasSentence(message, words, counts);
}

/** Checks that any of the sender's sentences, in any mood, has a word of each group. */
export function isMentioned(message: Message, words: Ask["words"]): boolean {
  return hasSentence(message, words, () => true);
}

function hasSentence(message: Message, words: Ask["words"], counts: (sentence: Sentence) => boolean): boolean {
  const matchers = words.map((group) => group.map(toMatcher));
  return ownSentences(message).some(
    (sentence) => counts(sentence) && matchers.every((group) => group.some((matcher) => matcher.test(sentence.text))),
  );
}

function toMatcher(word: string): RegExp {
  // A full stop belongs to the word when something follows it, as in `api.example.com`.
  return new RegExp(`(?<![\\w./:*-])${RegExp.escape(word)}(?![\\w/:*-]|\\.[\\w*])`, "iu");
}

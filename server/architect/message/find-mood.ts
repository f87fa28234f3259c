import { QUOTED } from "./find-quotations.ts";
import type { Mood } from "./message.ts";
import {
  ANYBODYS_SPEECH,
  ANYWAY,
  ATTRIBUTION,
  BEHIND,
  CONDITION,
  CONDITION_START,
  END,
  INFORMATION,
  LOOKS,
  NEGATED,
  NEGATED_START,
  OTHERS_SPEECH,
  OWN_SPEECH,
  POLITENESS,
  QUESTION_START,
  REASON,
  RECEIVED,
  REQUEST,
  TURNED,
  VERBS,
  WISH,
  WISH_NOT,
} from "./lexicon.ts";

/** Characters of a sentence. No order needs more, and what is longer would only be work. */
const LONGEST = 2_000;

/** Finds the mood of a sentence; `masked` is the sentence with all quoted text made unreadable. */
export function findMood(masked: string): Mood {
  // Whoever looks at a text with turned directions reads its words in another order.
  if (masked.length > LONGEST || TURNED.test(masked)) return "report";
  const words = toWords(masked);
  const bare = words.replace(POLITENESS, "");
  const core = toCore(words);
  const claim = bare.replaceAll(REASON, "").replaceAll(ANYWAY, "");
  const isVerbFirst = isVerb(firstOf(core));
  const asks = REQUEST.test(bare) && !INFORMATION.test(bare);
  if (NEGATED_START.test(bare) || NEGATED_START.test(core) || NEGATED.test(claim.replace(WISH_NOT, ""))) {
    return "negation";
  }
  if (speaksForOthers(words)) return "report";
  if (CONDITION_START.test(bare) || CONDITION.test(claim.replace(REQUEST, ""))) return "condition";
  const isPolite = asks || (isVerbFirst && /\bplease\b/.test(words));
  if (!isPolite && (QUESTION_START.test(bare) || /\?\W*$/.test(words))) return "question";
  // A verb alone above something is a heading: "Log:", "Patch:".
  const isHeading = core === firstOf(core) && /:\W*$/.test(words);
  const isOrder = (isVerbFirst && !isHeading) || /^no longer\b/.test(core);
  return asks || isOrder || WISH.test(claim) ? "imperative" : "report";
}

/** Checks that a sentence passes on the words, requests or messages of another person; in words as of `toWords`. */
export function speaksForOthers(words: string): boolean {
  const bare = words.replace(POLITENESS, "");
  if (ATTRIBUTION.test(bare) || RECEIVED.test(bare) || ANYBODYS_SPEECH.test(bare)) return true;
  return !OWN_SPEECH.test(bare) && !isVerb(firstOf(toCore(words))) && OTHERS_SPEECH.test(bare);
}

/** Checks that an order only asks to look at something, such as "Look at this:". */
export function onlyLooks(sentence: string): boolean {
  return LOOKS.has(firstOf(toCore(toWords(sentence))));
}

/** Checks that an order may begin with this word, in lower case. */
export function isVerb(word: string): boolean {
  return VERBS.has(word);
}

/** The words of a sentence as moods are found by: in lower case, on one line, what is quoted as one sign. */
export function toWords(masked: string): string {
  return masked
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(new RegExp(`${QUOTED}+`, "g"), QUOTED)
    .replaceAll(/[\u2018\u2019\u02bc`\u00b4]/g, "'")
    .replaceAll(/[\u2013\u2014]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The words without politeness around them, and without the words that make a request of them. */
export function toCore(words: string): string {
  let core = words.replace(END, "");
  for (let shorter = strip(core); shorter !== core; shorter = strip(core)) core = shorter;
  return core;
}

/** Reduces a sentence to its request as written, without end mark, politeness and requests around it. */
export function toBare(sentence: string): string {
  const words = sentence.toLowerCase().replaceAll("\u2019", "'");
  // Few letters have another length in lower case.
  if (words.length !== sentence.length) return sentence;
  const core = toCore(words);
  const start = words.indexOf(core);
  return sentence.slice(start, start + core.length);
}

function strip(words: string): string {
  return words.replace(POLITENESS, "").replace(REQUEST, "").replace(BEHIND, "").replace(END, "");
}

function firstOf(words: string): string {
  return /^[\w']+/.exec(words)?.[0] ?? "";
}

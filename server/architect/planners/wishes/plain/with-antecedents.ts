import { findQuotations } from "../../../message/find-quotations.ts";
import { isHost } from "../drafts/host-drafts.ts";
import type { Places, Thing } from "../places/places.ts";
import { toStem } from "../words/words.ts";

/** Between two sentences. */
const BETWEEN = /(?<=[.!?])\s+(?=\p{Lu})/u;
const THAT = /\b(?:that|this|the same) (role|host|domain|label|version)\b/iu;
/** "Drop it.": a sentence that says nothing else of what was named before. */
const ALONE =
  /^(\W*(?:(?:so|then|please|pls|just) )*\p{L}+ )(?:it|that one)((?: (?:please|then|altogether|entirely|completely|too|now))*\W*)$/iu;
/** "Strike it from the egress hosts", "revoke it for all versions" */
const OF_HOST =
  /^([^.;:]*\b)it(\b[^.;:]*\b(?:hosts?|egress|allow[- ]?list|(?:all|every|each) (?:the )?versions?)\b.*)$/iu;
/** "Label it stable" */
const OF_VERSION = /^(\W*(?:(?:so|then|please|pls|just) )*(?:label|tag|mark|call) )it(\b.*)$/iu;
const VERSION = /(?<![\w.])v?\d+\.\d+\.\d+(?![\w.]*\d)/gu;
const WORD = /[\w*-]+(?:[.:/][\w*-]+)*/gu;

/** Something that a sentence names, and how it is called in the next one. */
interface Named {
  readonly kind: "role" | "host" | "label" | "version";
  readonly text: string;
  /** True: the word for its kind stands beside it. */
  readonly isMarked: boolean;
}

/**
 * A message with the only host, role, label or version that a sentence names in the place of the word that stands for it in the next one: "The
 * trainee role is unused. Drop it." What may be one of several stays as it is, and so does a message with quotations.
 */
export function withAntecedents(text: string, places: Places): string {
  if (findQuotations(text).length > 0 || text.includes("\n")) return text;
  const sentences = text.split(BETWEEN);
  if (sentences.length < 2) return text;
  return sentences
    .map((sentence, at) => {
      const before = sentences[at - 1];
      return before === undefined ? sentence : tell(sentence, findNamed(before, places), before, places);
    })
    .join(" ");
}

function tell(sentence: string, named: readonly Named[], before: string, places: Places): string {
  const kind = THAT.exec(sentence)?.[1]?.toLowerCase().replace("domain", "host");
  // Labels are called by words of every day.
  const ofKind = named.filter((one) => one.kind === kind && (one.kind !== "label" || one.isMarked));
  if (kind !== undefined) return ofKind.length === 1 ? sentence.replace(THAT, toPhrase(ofKind)) : sentence;
  const ofHost = named.filter((one) => one.kind === "host");
  if (ofHost.length === 1 && OF_HOST.test(sentence)) return sentence.replace(OF_HOST, `$1${toPhrase(ofHost)}$2`);
  const marked = named.filter(({ isMarked }) => isMarked);
  const isOther = [...before.matchAll(WORD)].some(([word]) => isIdentifier(word, places, marked));
  if (marked.length !== 1 || isOther) return sentence;
  const pattern = marked[0]?.kind === "version" ? OF_VERSION : ALONE;
  return sentence.replace(pattern, `$1${toPhrase(marked)}$2`);
}

function toPhrase([only]: readonly Named[]): string {
  if (only === undefined) return "it";
  return only.kind === "role" ? `the ${only.text} role` : only.kind === "label" ? `the label ${only.text}` : only.text;
}

/** Tells whether a word names something else that may be meant. */
function isIdentifier(word: string, { identifiers }: Places, named: readonly Named[]): boolean {
  const lower = word.toLowerCase();
  return /[_.:]/.test(word) && identifiers.has(lower) && !named.some(({ text }) => text === lower);
}

function findNamed(sentence: string, { things, version, identifiers }: Places): readonly Named[] {
  const words = [...sentence.matchAll(WORD)].map(([word]) => word.toLowerCase());
  const isBeside = (word: string, kind: string) =>
    words.some((one, at) => one === word && [words[at - 1], words[at + 1]].some((other) => other === kind));
  const named = new Set(words).values().flatMap((word): readonly Named[] => {
    if (isHost(word) && !identifiers.has(word)) return [{ kind: "host", text: word, isMarked: true }];
    if (version.history.labels.has(word)) return [{ kind: "label", text: word, isMarked: isBeside(word, "label") }];
    return things.flatMap((thing): readonly Named[] =>
      isRole(thing, word) ? [{ kind: "role", text: thing.role ?? "", isMarked: isBeside(word, "role") }] : [],
    );
  });
  const versions = [...sentence.matchAll(VERSION)].map(([text]): Named => ({ kind: "version", text, isMarked: true }));
  return [...named, ...versions];
}

function isRole({ kind, role, names }: Thing, word: string): boolean {
  return (
    kind === "role" &&
    (role?.toLowerCase() === word || names.some((name) => name.length === 1 && name[0] === toStem(word)))
  );
}

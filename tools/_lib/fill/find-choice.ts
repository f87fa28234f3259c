import { fold, type Token, tokenise } from "../language/tokenise.ts";
import { isStopWord } from "../language/stop-words.ts";
import type { Found } from "./draft.ts";
import type { Field, Scalar } from "./read-fields.ts";
import { findSynonyms } from "./synonyms.ts";

/** Every mention of one of the field's choices, in the order of the message. */
export function findChoices(rest: string, field: Field): Found[] {
  const tokens = tokenise(rest);
  const found: Found[] = [];
  const phrases = field.choices
    .flatMap((choice) => toPhrases(choice, field).map((phrase) => ({ choice, phrase })))
    .sort((a, b) => b.phrase.length - a.phrase.length);
  for (const { choice, phrase } of phrases) {
    for (const span of findPhrase(rest, tokens, phrase)) {
      if (found.some((other) => span.start < other.end && other.start < span.end)) continue;
      found.push({ ...span, value: choice });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The ways to say a choice: itself, its synonyms, and what the field's description says in brackets after it. */
function toPhrases(choice: Scalar, { description, choices }: Field): string[] {
  const text = String(choice);
  const taken = new Set(choices.filter((other) => other !== choice).map((other) => fold(String(other))));
  const quoted = RegExp.escape(text);
  const explained = new RegExp(
    `["'\`]?${quoted}["'\`]?\\s*(?:\\(([^)]{1,100})\\)|(?:=|:|means|for)\\s+([^,;.]{1,60}))`,
    "i",
  ).exec(description);
  const words = (explained?.[1] ?? explained?.[2] ?? "").split(/[,;/]|\bor\b|\band\b/);
  const others = [...findSynonyms(text), ...words]
    .map((phrase) => phrase.trim())
    .filter((phrase) => !taken.has(fold(phrase)));
  return [text, ...others].filter(isTelling);
}

function isTelling(phrase: string): boolean {
  return phrase !== "" && !isStopWord(fold(phrase));
}

function findPhrase(rest: string, tokens: readonly Token[], phrase: string): { start: number; end: number }[] {
  const wanted = tokenise(phrase.replaceAll("_", " "));
  // Signs such as € and °F, and abbreviations such as C, mean something only as they are written.
  if (wanted.length === 0 || /^\P{L}|^.{1,2}$/u.test(phrase)) return findVerbatim(rest, phrase);
  return tokens.flatMap((first, index) => {
    const last = tokens[index + wanted.length - 1];
    const same = wanted.every(({ stem }, shift) => tokens[index + shift]?.stem === stem);
    return same && last && !rest.slice(first.start, last.end).includes("\uFFFC")
      ? [{ start: first.start, end: last.end }]
      : [];
  });
}

function findVerbatim(rest: string, sign: string): { start: number; end: number }[] {
  const [before, after] = [
    /^[\p{L}\p{N}]/u.test(sign) ? "(?<![\\p{L}'’])" : "",
    /[\p{L}\p{N}]$/u.test(sign) ? "(?![\\p{L}\\p{N}])" : "",
  ];
  const pattern = new RegExp(before + RegExp.escape(sign) + after, "gu");
  return Array.from(rest.matchAll(pattern), ({ index }) => ({ start: index, end: index + sign.length }));
}

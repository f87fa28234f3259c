import { KEY_WORDS, type KeyWord } from "./key-words.ts";
import { CHINESE_WORDS } from "./translations.ts";
import { UNITS } from "./units.ts";
import { type Action, NEGATORS, NOUNS, NUMERALS, STOP, VERBS } from "./word-lists.ts";
import { toStem, type Token } from "./words.ts";

interface Phrase<T> {
  readonly steps: readonly string[];
  readonly what: T;
}

export const VERB_PHRASES = index(
  Object.entries(VERBS).flatMap(([action, list]) =>
    list.split(/\s+/).map((text) => ({ steps: text.split("_").map(toStem), what: action as Action })),
  ),
);
export const KEY_PHRASES = index(
  Object.entries(KEY_WORDS).flatMap(([key, list]) =>
    list.split(", ").map((text) => ({ steps: text.split(/[\s'-]+/).map(toStem), what: key as KeyWord })),
  ),
);
export const NOUN_KINDS = toNounKinds();
/** Words of the lists in running Chinese. */
export const CHINESE = new Set(
  [
    ...CHINESE_WORDS,
    ...Object.values(VERBS),
    ...Object.values(KEY_WORDS),
    ...Object.values(NOUNS),
    ...Object.keys(NUMERALS),
    ...Object.keys(UNITS),
    [...STOP, ...NEGATORS].join(" "),
  ]
    .flatMap((list) => list.split(/[\s,_]+/))
    .filter((word) => /\p{Script=Han}/u.test(word)),
);
export const PLAIN = new Set([
  ...VERB_PHRASES.keys(),
  ...KEY_PHRASES.keys(),
  ...NOUN_KINDS.keys(),
  ...[...STOP, ...NEGATORS, ...Object.keys(NUMERALS), ...Object.keys(UNITS)].map(toStem),
]);

export const CORRECTABLE = new Set(
  [...Object.values(VERBS), ...Object.values(KEY_WORDS), ...Object.values(NOUNS)]
    .flatMap((list) => list.split(/[\s,_]+/))
    .filter((word) => /^[a-z]{5,}$/.test(word)),
);

/** All places where phrases stand; of those that begin at one place and mean one thing, the longest. */
export function find<T>(
  tokens: readonly Token[],
  phrases: ReadonlyMap<string, readonly Phrase<T>[]>,
): ReadonlyMap<T, readonly (readonly number[])[]> {
  const found = new Map<T, (readonly number[])[]>();
  const stems = tokens.map(({ kind, lower, stems: own }) =>
    kind === "word" ? (own.length === 1 ? (own[0] ?? "") : toStem(lower)) : "",
  );
  for (const [place, stem] of stems.entries()) {
    const longest = new Map<T, number>();
    for (const { steps, what } of phrases.get(stem) ?? []) {
      if (steps.every((step, offset) => stems[place + offset] === step))
        longest.set(what, Math.max(longest.get(what) ?? 0, steps.length));
    }
    for (const [what, length] of longest)
      found.set(what, [...(found.get(what) ?? []), Array.from({ length }, (_, offset) => place + offset)]);
  }
  return found;
}

function index<T>(phrases: readonly Phrase<T>[]): ReadonlyMap<string, readonly Phrase<T>[]> {
  const byFirst = new Map<string, Phrase<T>[]>();
  for (const phrase of phrases) {
    const [first = ""] = phrase.steps;
    byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
  }
  return byFirst;
}

function toNounKinds(): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const [kind, list] of Object.entries(NOUNS)) {
    for (const word of list.split(/\s+/)) {
      const stem = toStem(word);
      kinds.set(stem, (kinds.get(stem) ?? new Set()).add(kind));
    }
  }
  return kinds;
}

/** Stems of the verbs that changes are asked for by. */
export const CHANGING: ReadonlySet<string> = new Set(
  Object.values(VERBS).flatMap((list) => list.split(/\s+/).map((text) => toStem(text.split("_")[0] ?? ""))),
);

import rows from "./thesaurus.json" with { type: "json" };
import { toStem, toStems, type Token } from "./words.ts";

/** What people say for a word of a name: a phrase of theirs, as stems or as running Chinese, and the word that names have. */
interface Saying {
  readonly steps: readonly string[];
  /** The stems of each name that it may stand for. */
  readonly names: readonly (readonly string[])[];
  /** How surely it does, from 0 to 1. */
  readonly strength: number;
}

/** Sayings by their first stem, or by their first Chinese character. */
export type Thesaurus = ReadonlyMap<string, readonly Saying[]>;

/** How much a spelling, an English phrase and a phrase of another language count. */
const STRENGTH = { spelling: 0.7, english: 0.5, foreign: 0.8 } as const;
const CHINESE = /\p{Script=Han}/u;
/** Characters of a Chinese phrase, at most. */
const LONGEST = 8;

/**
 * The sayings whose names a version has. A row of the thesaurus is the spellings of names, and what people say for them in
 * English, German, Spanish, French and Chinese.
 */
export function selectSayings(vocabulary: ReadonlyMap<string, number>): Thesaurus {
  const found = new Map<string, Saying[]>();
  for (const row of rows) {
    const [spellings = "", english = "", ...others] = row.split(" | ");
    const known = spellings
      .split(", ")
      .map(toStems)
      .filter((name) => name.every((stem) => vocabulary.has(stem)));
    if (known.length === 0) continue;
    for (const { steps, strength } of [
      ...toSayings(spellings, STRENGTH.spelling),
      ...toSayings(english, STRENGTH.english),
      ...others.flatMap((list) => toSayings(list, STRENGTH.foreign)),
    ]) {
      const names = known.filter((name) => name.join() !== steps.join());
      const [first = ""] = steps;
      if (names.length > 0) found.set(first, [...(found.get(first) ?? []), { steps, names, strength }]);
    }
  }
  return found;
}

function toSayings(list: string, strength: number): readonly Omit<Saying, "names">[] {
  return list.split(", ").map((phrase) => ({
    steps: CHINESE.test(phrase) ? [...phrase] : phrase.split(/[\s_'’-]+/).map(toStem),
    strength,
  }));
}

/** Stems of names that words from `at` on may stand for, with how surely, and how many tokens say so. */
export function findNames(
  tokens: readonly Token[],
  at: number,
  thesaurus: Thesaurus,
): readonly { readonly stems: readonly string[]; readonly strength: number; readonly length: number }[] {
  const { text = "", kind, stems: [first = ""] = [] } = tokens[at] ?? {};
  if (kind !== "word") return [];
  if (CHINESE.test(text)) return findChinese(tokens, at, thesaurus);
  return (thesaurus.get(first) ?? []).flatMap(({ steps, names, strength }) => {
    const isSaid = steps.every((step, offset) => {
      const token = tokens[at + offset];
      return token?.kind === "word" && token.stems.length === 1 && token.stems[0] === step;
    });
    return isSaid ? names.map((name) => ({ stems: name, strength, length: steps.length })) : [];
  });
}

function findChinese(tokens: readonly Token[], at: number, thesaurus: Thesaurus) {
  let text = "";
  const ends: number[] = [];
  for (let next = at; next < tokens.length && text.length < LONGEST; next += 1) {
    const token = tokens[next];
    if (token === undefined || !CHINESE.test(token.text)) break;
    text += token.text;
    ends.push(text.length);
  }
  return (thesaurus.get([...text][0] ?? "") ?? []).flatMap(({ steps, names, strength }) => {
    const length = ends.indexOf(steps.length) + 1;
    return length > 0 && text.startsWith(steps.join("")) ? names.map((stems) => ({ stems, strength, length })) : [];
  });
}

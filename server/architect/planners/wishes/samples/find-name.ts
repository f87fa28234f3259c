import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { findSynonyms } from "../words/synonyms.ts";
import { findNames } from "../words/thesaurus.ts";
import { translateStem } from "../words/translations.ts";
import { toStems } from "../words/words.ts";
import type { Piece } from "./find-pieces.ts";
import type { SampleField } from "./sample-fields.ts";

/** Words between the name of a field and its value, at most. */
const NEAR = 3;
/** How surely a word of its description names a field. */
const DESCRIBED = 0.4;

/** The words before or behind a value that name its field. */
export function findName(
  { tokens }: Clause,
  { tokens: own, kind, number }: Piece,
  { names, soft }: SampleField,
  meanings: readonly ReadonlyMap<string, number>[],
): { readonly strength: number; readonly words: readonly number[] } {
  const [first = 0] = own;
  const last = own.at(-1) ?? first;
  let best: { strength: number; words: readonly number[] } = { strength: 0, words: [] };
  const put = (at: number, factor: number) => {
    for (const name of names) {
      const said = name.filter((stem) => meanings[at]?.has(stem) === true);
      const share = said.reduce((sum, stem) => sum + (meanings[at]?.get(stem) ?? 0), 0) / Math.max(1, name.length);
      const strength = factor * (said.length > 0 && name.length > 1 ? Math.max(share, 0.6) : share);
      if (strength > best.strength) best = { strength, words: [at] };
    }
    const isDescribed = tokens[at]?.stems.some((stem) => soft.has(stem)) === true;
    if (isDescribed && DESCRIBED * factor > best.strength) best = { strength: DESCRIBED * factor, words: [at] };
  };
  for (let at = first - 1, away = 0; at >= 0 && away < NEAR; at -= 1) {
    const { text = "", kind: before } = tokens[at] ?? {};
    if (/^[,;.(]$/.test(text) && before === "sign") break;
    if (before === "sign") continue;
    if (before === "number") break;
    put(at, 1 - 0.12 * away);
    away += 1;
  }
  if (number !== undefined || kind === "number") {
    put(last, 0.95);
    put(last + 1, 0.95);
    put(last + 2, 0.6);
  }
  return best;
}

/** The stems of names that a word may stand for, with how surely. */
export function meaningsOf(
  { tokens }: Clause,
  at: number,
  { vocabulary, thesaurus }: Places,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const put = (stem: string, strength: number) => found.set(stem, Math.max(found.get(stem) ?? 0, strength));
  const { stems: own = [], unit = "" } = tokens[at] ?? {};
  for (const stem of unit === "" ? own : toStems(unit)) {
    put(stem, 1);
    const translated = translateStem(stem);
    if (translated !== undefined) put(translated, 0.95);
    for (const concept of [stem, translated ?? stem])
      for (const other of findSynonyms(concept)) if (vocabulary.has(other)) put(other, 0.5);
  }
  for (const { stems, strength } of findNames(tokens, at, thesaurus)) for (const stem of stems) put(stem, strength);
  return found;
}

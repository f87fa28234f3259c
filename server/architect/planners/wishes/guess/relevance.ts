import type { Clause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { translateStem } from "../words/translations.ts";
import { STOP } from "../words/word-lists.ts";
import { distance } from "../words/words.ts";

/** A thing with how much of a message speaks of it. */
export interface Relevant {
  readonly thing: Thing;
  /** The sum of the weights of the words that they share; rare words and names weigh more. */
  readonly score: number;
}

const NAME = 1;
const OWNER = 0.6;
const DESCRIPTION = 0.5;
/** Letters that two words of one family share at least: "cancel", "cancellation". */
const FAMILY = 5;

/** The things that share most words with a clause, the likeliest first: retrieval by words, rare ones weighing more. */
export function findRelevant(clause: Clause, places: Places): readonly Relevant[] {
  const said = [...toWords(clause, places)].map(
    ([word, families]) => ({ stems: [word, ...families], weight: toRarity(places, word, families) }) as const,
  );
  return places.things
    .flatMap((thing): readonly Relevant[] => {
      const names = new Set(thing.names.flat());
      let score = 0;
      for (const { stems, weight } of said) {
        const share = Math.max(
          ...stems.map((stem) =>
            names.has(stem) ? NAME : thing.owners.has(stem) ? OWNER : thing.soft.has(stem) ? DESCRIPTION : 0,
          ),
        );
        score += share * weight;
      }
      return score === 0 ? [] : [{ thing, score }];
    })
    .sort((one, other) => other.score - one.score);
}

/** The words of a clause that mean something, each with the words of this version that are of its family. */
function toWords({ tokens }: Clause, { vocabulary }: Places): ReadonlyMap<string, readonly string[]> {
  const said = new Map<string, readonly string[]>();
  for (const { stems, kind, lower } of tokens) {
    if (kind === "sign" || kind === "number" || STOP.has(lower)) continue;
    for (const stem of stems.flatMap(toConcepts)) {
      if (stem.length < 2) continue;
      const families = vocabulary.has(stem) ? [] : [...vocabulary.keys()].filter((other) => isLike(stem, other));
      said.set(stem, families);
    }
  }
  return said;
}

/** A word as it is and in English; of German compounds, their parts. */
function toConcepts(stem: string): readonly string[] {
  const whole = translateStem(stem);
  if (whole !== undefined) return [stem, whole];
  for (let cut = 4; cut <= stem.length - 4; cut += 1) {
    const [head, tail] = [stem.slice(0, cut), stem.slice(cut)];
    const parts = [translateStem(head) ?? translateStem(head.replace(/s$/, "")), translateStem(tail)];
    if (parts.every((part) => part !== undefined)) return [stem, ...parts];
  }
  return [stem];
}

/** Tells whether two words are of one family, or one letter apart. */
function isLike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < FAMILY) return false;
  let shared = 0;
  while (shared < shorter && one[shared] === other[shared]) shared += 1;
  return (shared >= FAMILY && shared >= shorter - 1) || (shorter > FAMILY && distance(one, other, 1) === 1);
}

/** Weighs a word by how few things are named or described by it. */
function toRarity({ things, vocabulary }: Places, word: string, families: readonly string[]): number {
  const count = Math.max(0, ...[word, ...families].map((stem) => vocabulary.get(stem) ?? 0));
  return Math.log((things.length + 1) / (count + 1));
}

import type { Clause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { findSynonyms } from "../words/synonyms.ts";
import { translateStem } from "../words/translations.ts";
import { findNames, type Thesaurus } from "../words/thesaurus.ts";
import { STOP } from "../words/word-lists.ts";
import { distance } from "../words/words.ts";

/** How a message speaks of a thing; shares are from 0 to 1. */
export interface Relevance {
  /** Share of its name that is said, rare words weighing more. */
  readonly name: number;
  /** Rarity of the words of its name that are said, summed up; a word that only one thing has counts 1. */
  readonly rare: number;
  /** True: it is written as in the manifest. */
  readonly isExact: boolean;
  /** Rarity of the words of its tool or group that are said, summed up. */
  readonly owner: number;
  /** Rarity of other words of its description that are said, summed up. */
  readonly soft: number;
  /** Share of its tool's name that is said, and by how much another tool has more. */
  readonly tool: number;
  readonly rival: number;
  /** Words of the message that speak of it. */
  readonly words: ReadonlySet<number>;
}

/** Letters that two words of one family share at least: "cancel", "cancellation". */
const FAMILY = 5;
/** How much a word of another language, of one family, or of like meaning counts. */
const LIKE = { translated: 0.95, family: 0.8, synonym: 0.6, sense: 0.35 } as const;
/** Share of a tool's name below which it is not named. */
const NAMED = 0.4;

/** Words before a name, also where it is a word that mostly says nothing: "without a kind". */
const ARTICLE = /^(?:an?|the|no|its|their|without)$/;

/** A word of the message: the words that it may stand for, with how surely. */
interface Said {
  readonly at: number;
  readonly lower: string;
  readonly stems: ReadonlyMap<string, number>;
}

/** The things that share words with a clause, and how: retrieval by words, rare ones weighing more. */
export function findRelevant(clause: Clause, places: Places): ReadonlyMap<Thing, Relevance> {
  const said = toSaid(clause, places);
  const rarity = (stem: string) =>
    Math.log((places.things.length + 1) / ((places.vocabulary.get(stem) ?? 0) + 1)) /
    Math.log((places.things.length + 1) / 2);
  const shares = new Map<string, number>();
  for (const { kind, tool, names } of places.things)
    if (kind === "tool" && tool !== undefined) shares.set(tool.name, toShare(said, names, rarity).share);
  const found = new Map<Thing, Relevance>();
  for (const thing of places.things) {
    const { share, words, rare } = toShare(said, thing.names, rarity);
    const own = new Set(thing.names.flat());
    const [owners, descriptions] = [new Set<number>(words), new Set<number>()];
    const [owner, soft] = [
      sumOf(said, (stem) => thing.owners.has(stem) && !own.has(stem), rarity, owners),
      sumOf(said, (stem) => thing.soft.has(stem) && !own.has(stem) && !thing.owners.has(stem), rarity, descriptions),
    ];
    if (share === 0 && owner === 0 && soft === 0) continue;
    const tool = shareOfTool(thing, places, shares);
    const most = Math.max(0, ...shares.values());
    found.set(thing, {
      name: share,
      rare,
      isExact: said.some(
        ({ at, lower }) =>
          words.has(at) && (isExactly(thing, lower) || (tool >= NAMED && isSeveral(clause, at, thing))),
      ),
      owner,
      soft,
      tool,
      rival: most < NAMED ? 0 : Math.max(0, most - tool),
      words: new Set([...owners, ...descriptions]),
    });
  }
  return found;
}

/** Tells whether a word is what a thing is called; of a tool also without its server, where that is more than one word. */
function isExactly(thing: Thing, lower: string): boolean {
  const { kind, tool } = thing;
  return (
    lower === exactName(thing) ||
    (kind === "tool" && tool !== undefined && /_/.test(lower) && tool.name.toLowerCase() === `${tool.server}.${lower}`)
  );
}

export function exactName({ field, parameter, tool, set, role, prompt }: Thing): string {
  return (field?.name.split(".").at(-1) ?? parameter ?? tool?.name ?? role ?? set?.name ?? prompt ?? "").toLowerCase();
}

/** How much of the best of some names is said. */
function toShare(said: readonly Said[], names: Thing["names"], rarity: (stem: string) => number) {
  let best = { share: 0, rare: 0, words: new Set<number>() };
  for (const name of names) {
    const words = new Set<number>();
    let [got, all] = [0, 0];
    for (const stem of name) {
      const weight = Math.max(0.05, rarity(stem));
      const [first] = said
        .flatMap(({ at, stems }) => (stems.has(stem) ? [{ at, strength: stems.get(stem) ?? 0 }] : []))
        .sort((one, other) => other.strength - one.strength);
      all += weight;
      if (first === undefined) continue;
      got += weight * first.strength;
      for (const { at, stems } of said) if (stems.has(stem)) words.add(at);
    }
    const share = all === 0 ? 0 : got / all;
    if (share > best.share || (share === best.share && got > best.rare)) best = { share, rare: got, words };
  }
  return best;
}

/** The rarity of the words that fit, summed up; adds them to `words`. */
function sumOf(
  said: readonly Said[],
  fits: (stem: string) => boolean,
  rarity: (stem: string) => number,
  words: Set<number>,
): number {
  const counted = new Map<string, number>();
  for (const { at, stems } of said)
    for (const [stem, strength] of stems) {
      if (!fits(stem)) continue;
      words.add(at);
      counted.set(stem, Math.max(counted.get(stem) ?? 0, strength * rarity(stem)));
    }
  return [...counted.values()].reduce((sum, one) => sum + one, 0);
}

/** How much of the name of the tools that a thing belongs to is said. */
function shareOfTool({ tool, set }: Thing, { version }: Places, shares: ReadonlyMap<string, number>): number {
  if (tool !== undefined) return shares.get(tool.name) ?? 0;
  if (set === undefined) return Math.max(0, ...shares.values());
  const readers = [...version.tools.values()].filter(({ parameters }) => parameters.includes(set.name));
  return Math.max(0, ...readers.map(({ name }) => shares.get(name) ?? 0));
}

/** The words of a clause that mean something, each with the words of this version that it may stand for. */
function toSaid({ tokens }: Clause, { vocabulary, identifiers, thesaurus }: Places): readonly Said[] {
  const senses = findSenses(tokens, thesaurus);
  return tokens.flatMap(({ stems: own, kind, lower }, at): readonly Said[] => {
    const isNamed = identifiers.has(lower) && (lower.includes("_") || ARTICLE.test(tokens[at - 1]?.lower ?? ""));
    const isTalk = kind === "word" && STOP.has(lower) && !isNamed;
    if (kind === "sign" || kind === "number") return [];
    const stems = new Map(senses.get(at));
    if (isTalk) return stems.size === 0 ? [] : [{ at, lower, stems }];
    const put = (stem: string, strength: number) => {
      if (stem.length > 1 && vocabulary.has(stem)) stems.set(stem, Math.max(stems.get(stem) ?? 0, strength));
    };
    for (const stem of own) {
      put(stem, 1);
      for (const concept of toConcepts(stem)) put(concept, LIKE.translated);
      if (!vocabulary.has(stem))
        for (const other of vocabulary.keys()) if (isLike(stem, other)) put(other, LIKE.family);
      const isKnown = vocabulary.has(stem);
      for (const concept of [stem, ...toConcepts(stem)])
        for (const other of findSynonyms(concept)) put(other, isKnown ? LIKE.sense : LIKE.synonym);
    }
    return stems.size === 0 ? [] : [{ at, lower, stems }];
  });
}

/** The words of names that each token may stand for, with others or alone; words that mostly say nothing stand for nothing alone. */
function findSenses(tokens: Clause["tokens"], thesaurus: Thesaurus): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const found = new Map<number, Map<string, number>>();
  for (const [at, { lower }] of tokens.entries())
    for (const { stems, strength, length } of findNames(tokens, at, thesaurus)) {
      if (length === 1 && STOP.has(lower)) continue;
      for (let place = at; place < at + length; place += 1) {
        const own = found.get(place) ?? new Map<string, number>();
        for (const stem of stems) own.set(stem, Math.max(own.get(stem) ?? 0, strength));
        found.set(place, own);
      }
    }
  return found;
}

/** A word in English; of German compounds, their parts. */
function toConcepts(stem: string): readonly string[] {
  const whole = translateStem(stem);
  if (whole !== undefined) return [whole];
  for (let cut = 4; cut <= stem.length - 4; cut += 1) {
    const [head, tail] = [stem.slice(0, cut), stem.slice(cut)];
    const parts = [translateStem(head) ?? translateStem(head.replace(/s$/, "")), translateStem(tail)];
    if (parts.every((part) => part !== undefined)) return parts;
  }
  return [];
}

/** Tells whether two words are of one family, or one letter apart. */
function isLike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < FAMILY) return false;
  let shared = 0;
  while (shared < shorter && one[shared] === other[shared]) shared += 1;
  // A "drivel" is no "driver".
  if (one.length === other.length && shared === shorter - 1) return false;
  return (shared >= FAMILY && shared >= shorter - 1) || (shorter > FAMILY && distance(one, other, 1) === 1);
}

/** Tells whether a word behind an article or the like is the plural of a name: "among the reasons"; "call it workers" names nothing. */
function isSeveral({ tokens }: Clause, at: number, thing: Thing): boolean {
  const [name, lower = ""] = [exactName(thing), tokens[at]?.lower];
  const isBehind = /^(?:the|its|of|among|all|these|those|other|our)$/.test(tokens[at - 1]?.lower ?? "");
  return (
    isBehind &&
    name.length > 3 &&
    [`${name}s`, `${name}es`, name.replace(/y$/, "ies")].includes(lower) &&
    lower !== name
  );
}

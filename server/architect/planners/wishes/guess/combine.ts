import type { Clause } from "../clause.ts";
import type { Guess } from "./guess-value.ts";
import { scoreOf, type Signs } from "./signs.ts";
import { SENTENCE_END, toPlace } from "./told-parts.ts";

/** Guesses that readings of several wishes begin with, and are made of. */
const SEEDS = 4;
const MEMBERS = 30;
const MOST = 4;
/** Guesses for one of the further wishes that are looked at. */
const NEXT = 3;

/** The thing, the key and the number that a guess sets. */
interface Placed {
  readonly thing: string;
  readonly key: string;
  readonly value: number;
}

interface Weighed extends Guess {
  readonly own: number;
  readonly placed: Placed | undefined;
}

/**
 * Guesses joined to readings of several wishes: each explains another value of the clause, or all give one value to
 * different things. Signs are the means of those of the members, so that a poor member makes a poor reading.
 */
export function combine(clause: Clause, guesses: readonly Guess[]): readonly Guess[] {
  const all = guesses
    .flatMap((one): readonly Weighed[] =>
      one.core === undefined || one.core.length === 0
        ? []
        : [{ ...one, own: scoreOf(one.signs), placed: placeOf(one) }],
    )
    .sort((one, other) => other.own - one.own);
  const members = all.slice(0, MEMBERS);
  const found = new Map<string, Guess>();
  const borrows = toBorrows(clause);
  const put = (group: readonly Weighed[]) => {
    if (group.some((one) => group.some((other) => one !== other && isTwin(one, other) && borrows(one, other)))) return;
    const joined = join(clause, group);
    found.set(joined.name, joined);
  };
  for (const seed of members.slice(0, SEEDS))
    for (const next of members.filter((one) => fits(one, [seed])).slice(0, NEXT)) {
      let group: readonly Weighed[] = [seed, next];
      put(group);
      while (group.length < MOST) {
        const more = members.find((one) => fits(one, group));
        if (more === undefined) break;
        group = [...group, more];
        put(group);
      }
    }
  // By thing, since all pairs of a message's guesses are millions.
  const placed = all.filter((one) => one.placed !== undefined);
  for (const group of Map.groupBy(placed, (one) => one.placed?.thing).values())
    for (const one of group) for (const other of group) if (isKin(one, other)) put([one, other]);
  return [...found.values()];
}

/** Keys of one field that a message may set at once: "50 by default, and up to 200". */
function isKin(one: Weighed, other: Weighed): boolean {
  const [own, bound] = [one.placed, other.placed];
  if (own === undefined || bound === undefined || own.thing !== bound.thing || own.key !== "default") return false;
  const isWithin =
    (bound.key === "maximum" && own.value <= bound.value) || (bound.key === "minimum" && own.value >= bound.value);
  return isWithin && isApart(one, other) && one.signs.key === 1;
}

function placeOf({ name }: Guess): Placed | undefined {
  const [, thing, key, value] = /^(\S+#\S+)\/(default|minimum|maximum)=(-?[\d.]+)$/.exec(name) ?? [];
  return thing === undefined || key === undefined ? undefined : { thing, key, value: Number(value) };
}

/** Tells whether a guess may be meant beside others: about another place, and by other words or by the same value. */
function fits(one: Guess, group: readonly Guess[]): boolean {
  return group.every(
    (other) =>
      subjectOf(one) !== subjectOf(other) &&
      !isPartOf(one, other) &&
      !isPartOf(other, one) &&
      (isApart(one, other) || (isTwin(one, other) && (group.length < 3 || isListed([one, ...group])))),
  );
}

/** Tells whether a guess removes something of what another one removes as a whole. */
function isPartOf({ name }: Guess, whole: Guess): boolean {
  return name.startsWith(`${whole.name}/`);
}

function isApart({ core = [] }: Guess, other: Guess): boolean {
  return core.every((at) => other.core?.includes(at) !== true);
}

/** Tells whether two guesses put one value in places of one kind: "ferret, for new patients and in the search". */
function isTwin(one: Guess, other: Guess): boolean {
  return one.core?.join() === other.core?.join() && kindOf(one) === kindOf(other);
}

/** Words by which a sentence repeats what another one asks for. */
const SAME =
  /\b(?:same|too|as well|likewise|ditto|both|each|also (?:for|in|on|at|of|with)|dito|ebenso|auch|igual|también|mismo|aussi|pareil|même)\b|也|同样|都/iu;

/** Makes a check whether a guess gets its value from a sentence about another one, and its own does not say that it is to be repeated. */
function toBorrows({ text, tokens }: Clause): (one: Guess, other: Guess) => boolean {
  const sentences = tokens.map(({ start }) => start).map(toPlace(text, SENTENCE_END));
  const repeats = (sentence: number) => {
    const [first, last] = [sentences.indexOf(sentence), sentences.lastIndexOf(sentence)];
    return SAME.test(text.slice(tokens[first]?.start, tokens[last]?.end));
  };
  return ({ words, core = [] }, other) => {
    const sentencesOf = (places: readonly number[]) => new Set(places.map((at) => sentences[at] ?? 0));
    const namedBy = (mine: readonly number[], others: readonly number[]) =>
      sentencesOf(mine.filter((at) => !core.includes(at) && !others.includes(at)));
    const [valued, own, lender] = [sentencesOf(core), namedBy(words, other.words), namedBy(other.words, words)];
    const isLent = own.intersection(valued).size === 0 && lender.intersection(valued).size > 0;
    return isLent && [...own].some((sentence) => !repeats(sentence));
  };
}

/** "For build_logs, list_artifacts and build_status": things that are named by their own words, each by others. */
function isListed(group: readonly Guess[]): boolean {
  return group.every((one) => one.signs.exact === 1 || one.signs.name === 1);
}

/** Tells whether guesses set one key of several tools that are named as in their manifests. */
function areNamed({ tokens }: Clause, group: readonly Guess[]): boolean {
  const files = group.map(({ name }) => /^\S*\/([^/\s]+)\.yaml#\S*=/.exec(name)?.[1]);
  return (
    new Set(files).size === group.length &&
    files.every(
      (file) => file !== undefined && tokens.some(({ lower }) => lower === file || lower.endsWith(`.${file}`)),
    )
  );
}

function kindOf({ name }: Guess): string {
  return name.slice(name.lastIndexOf("/"));
}

/** The place that a guess changes; lists may change in several ways at once. */
function subjectOf({ name }: Guess): string {
  return /^[^ ]*#[^ ]*=/.test(name) ? name.slice(0, name.indexOf("=")) : name;
}

/** One guess that does what several do, in the order of their names; its signs are the means of theirs. */
export function joinGuesses(group: readonly Guess[]): Guess {
  const sorted = [...group].sort((one, other) => (one.name < other.name ? -1 : 1));
  const signs: Record<string, number> = {};
  for (const { signs: own } of sorted)
    for (const [sign, value] of Object.entries(own)) signs[sign] = (signs[sign] ?? 0) + value / sorted.length;
  return {
    name: sorted.map(({ name }) => name).join(" & "),
    signs,
    words: sorted.flatMap(({ words }) => words),
    core: sorted.flatMap(({ core = [] }) => core),
    deed: async (bench) => {
      for (const { deed } of sorted) await deed(bench);
    },
  };
}

function join(clause: Clause, group: readonly Weighed[]): Guess {
  const sorted = [...group].sort((one, other) => (one.name < other.name ? -1 : 1));
  const whole = joinGuesses(sorted);
  const [first, ...others] = sorted;
  const isTwins = others.some((one) => first !== undefined && isTwin(first, one));
  const signs: Signs = {
    ...whole.signs,
    several: sorted.length - 1,
    crossed: sorted.filter((one) => isCrossed(clause, one, sorted)).length / sorted.length,
    ...(isTwins
      ? areNamed(clause, sorted)
        ? { listed: (sorted.length * (sorted.length - 1)) / 2 }
        : { twin: 1 }
      : {}),
    ...(sorted.length === 2 && sorted.some((one) => sorted.some((other) => isKin(one, other))) ? { kin: 1 } : {}),
  };
  return { ...whole, signs };
}

/** Tells whether what a guess is about stands nearer to the value of another guess of its reading. */
function isCrossed({ tokens }: Clause, one: Guess, group: readonly Guess[]): boolean {
  // Texts that are given to tools in turn are never crossed.
  if (one.signs.text === 1 && one.signs.siblings === 1) return false;
  const others = group.filter((other) => other !== one && isApart(one, other));
  if (others.length === 0) return false;
  const shared = new Set(others.flatMap(({ words }) => words));
  const about = one.words.filter(
    (at) => !shared.has(at) && one.core?.includes(at) !== true && tokens[at] !== undefined,
  );
  if (about.length === 0) return true;
  const distance = ({ core = [] }: Guess) =>
    Math.min(...about.flatMap((at) => core.map((value) => Math.abs(at - value))));
  return others.some((other) => distance(other) < distance(one));
}

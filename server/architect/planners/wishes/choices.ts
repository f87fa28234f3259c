import type { Deed } from "../directives/phrase.ts";
import { type Clause, readClause } from "./clause.ts";
import { guess, type Likely } from "./guess/guess.ts";
import type { Signs } from "./guess/signs.ts";
import { idleness, readIntent } from "./intent/read-intent.ts";
import { type Heard, OFFERED, joinSentences } from "./heard.ts";
import type { Places } from "./places/places.ts";
import type { Ranked } from "./rank.ts";
import { hasCode, toBare } from "./samples/to-bare.ts";
import { stanceOf } from "./stance.ts";
import { splitAt, splitOutsideQuotes } from "./parts/split-at.ts";
import { resolveWhole } from "./resolve.ts";

/** Readings that are worked out at most, to find those that can be carried out. */
export const TRIED = 8;
/** Parts of a message that are guessed at by themselves. */
const PARTS = 5;
/** Characters of a message that are guessed at. */
const GUESSED = 1_000;
/** How likely a part is that is clear by itself. */
const CLEAR = 0.97;
/** How likely a message wants no change, from which on it has to speak as those do who want one. */
const IDLE = 0.2;
/** The score of readings that leave nothing of an open sentence beside clear ones. */
const BESIDE = 0.5;

/** How likely the rest of a message is meant by itself, where a part of it is not understood. */
const REST = 0.6;
const WISHING =
  /\b(?:should|must|needs? to|has to|have to|ought|please|want|would like|let|make|add|send|show|give|render|support|build|soll\w*|muss|müssen|bitte|debe\w*|tiene que|quiero|queremos|doit|devrai\w*|voudrai\w*|il faut)\b|请|应该|要/i;

/** Deeds that together may be meant. */
export interface Choice {
  readonly deeds: readonly Deed[];
  /** Log odds against "none of them". */
  readonly score: number;
  /** The names of the guesses or drafts that it is made of. */
  readonly names: readonly string[];
  /** Absent: it is more than one guess. */
  readonly signs?: Signs;
  /** The words of the message that it is made of; absent as well. */
  readonly words?: readonly number[];
}

/** A message as it was heard: by sentence, and joined where not all of them are clear. */
interface Wished {
  readonly heard: readonly Heard[];
  /** All that the sender says in words of its own. */
  readonly clause: Clause;
  readonly places: Places;
}

/** Lists what a message may mean, the likeliest first. */
export function listChoices({ heard, clause, places }: Wished): readonly Choice[] {
  if (!mayWish(heard)) return [];
  const speech = speechOf(heard);
  // What somebody else said may name what the sender's own words are about.
  const all = heard.map(({ sentence }) => sentence.text).join(" ");
  const context = all.length > clause.text.length && all.length <= GUESSED ? readClause(all, places) : undefined;
  const single = guess(clause, places, context, speech);
  const samples = guessCode(clause, places, speech).filter(({ name }) => !single.some((one) => one.name === name));
  const choices = [
    ...[...single, ...samples].map(({ name, deed, score, signs, words }): Choice => ({
      deeds: [deed],
      score,
      names: [name],
      signs,
      words,
    })),
    ...guessParts(heard, places, clause, speech),
    ...besideClear(heard),
  ];
  return choices.sort((one, other) => other.score - one.score);
}

/** Examples that are written as code. */
function guessCode({ text }: Clause, places: Places, speech: Signs): readonly Likely[] {
  if (!hasCode(text)) return [];
  const likely = guess(readClause(toBare(text), places), places, undefined, speech);
  return likely.filter(({ name }) => name.startsWith("example "));
}

/** Tells whether a sentence may want something. */
export function wishes(one: Heard): boolean {
  return ["asks", "hints", "depends"].includes(stanceOf(one));
}

/** Tells whether a message may want something: by how a sentence speaks, or by its words, as those who want something use them. */
export function mayWish(heard: readonly Heard[]): boolean {
  return heard.some(wishes) || idleness(readIntent(ownText(heard))) < IDLE;
}

/** How the sentences of a message speak, as signs for all guesses. */
export function speechOf(heard: readonly Heard[]): Signs {
  const stances = new Set(heard.map(stanceOf));
  return Object.fromEntries(
    (["asks", "hints", "forbids", "depends", "inquires", "others"] as const).flatMap((stance) =>
      stances.has(stance) ? [[stance, 1]] : [],
    ),
  );
}

/** All that the sender says in words of its own, or else all that is told, as far as it is guessed at. */
export function ownText(heard: readonly Heard[]): string {
  const own = heard.filter((one) => stanceOf(one) !== "others");
  return joinSentences((own.length > 0 ? own : heard).map(({ sentence }) => sentence.text)).slice(0, GUESSED);
}

/** The likeliest wish of each part of a message that asks for several things; none where a part may mean nothing. */
function guessParts(heard: readonly Heard[], places: Places, message: Clause, speech: Signs): readonly Choice[] {
  const asking = heard.filter(wishes).map(({ sentence }) => sentence.text);
  const own = heard.filter((one) => stanceOf(one) !== "others").map(({ sentence }) => sentence.text);
  const ways = [asking, asking.flatMap(splitOutsideQuotes), own.flatMap(splitTurns)];
  const choices = new Map<string, Choice>();
  const known = new Map<string, Part | undefined>();
  const readOnce = (part: string) => {
    if (!known.has(part)) known.set(part, readPart(part, places, message, speech));
    return known.get(part);
  };
  for (const parts of ways) {
    if (parts.length < 2 || parts.length > PARTS) continue;
    const read = parts.map(readOnce);
    const found = read.filter((one) => one !== undefined);
    const names = new Set(found.map((one) => one.name.replace(/=.*$/s, "")));
    if (found.length === 0 || names.size !== found.length) continue;
    const probability = found.reduce((product, one) => product * one.probability, 1);
    // A part that nothing here can do leaves the rest to be offered.
    const isRest = found.length < read.length;
    if (isRest && !parts.some((part, at) => read[at] === undefined && isOwnWish(part))) continue;
    const name = found.map((one) => one.name).join(" & ");
    if (choices.has(name)) continue;
    choices.set(name, {
      deeds: found.map(({ deed }) => deed),
      score: toOdds(probability * (isRest ? REST : 1)),
      names: found.map((one) => one.name),
    });
  }
  return [...choices.values()];
}

/** The parts of a sentence that semicolons and words of contrast join. */
function splitTurns(text: string): readonly string[] {
  return splitAt(
    text,
    /;\s*|,?\s+(?:whereas|while|plus|also|likewise|in turn|während|außerdem|sowie|mientras(?: que)?|además|asimismo|tandis que|ainsi que|de plus)\s+|；|而且?|另外|同时/iu,
  );
}

/** Tells whether a part of a message may be a wish of its own, and not a reason or an aside. */
function isOwnWish(part: string): boolean {
  return WISHING.test(part) && part.split(/\s+/).length > 3;
}

interface Part {
  readonly name: string;
  readonly deed: Deed;
  readonly probability: number;
}

function readPart(text: string, places: Places, message: Clause, speech: Signs): Part | undefined {
  const whole = resolveWhole(text, places);
  const [draft] = whole.kind === "clear" ? whole.drafts : [];
  if (draft?.deed !== undefined) return { name: draft.name, deed: draft.deed, probability: CLEAR };
  const guesses = guess(readClause(text, places), places, message, speech);
  const [best] = guesses;
  if (best === undefined || best.score < 0) return undefined;
  const { name, deed } = best;
  return {
    name,
    deed,
    probability: toShares(guesses.map(({ score }) => score))[0] ?? 0,
  };
}

/** The probabilities of guesses by their scores; what is left to 1 is that of "none of them". */
export function toShares(scores: readonly number[]): readonly number[] {
  const weights = scores.map((score) => Math.exp(score));
  const sum = 1 + weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function toOdds(probability: number): number {
  return Math.log(probability / Math.max(1e-6, 1 - probability));
}

/** The clear sentences of a message with each reading of the open one. */
function besideClear(heard: readonly Heard[]): readonly Choice[] {
  const clear = heard.flatMap(({ resolved }) => (resolved?.kind === "clear" ? resolved.drafts : []));
  const open = heard.flatMap(({ resolved }) =>
    resolved?.kind === "open" && resolved.drafts.some(({ deed, cost }) => deed !== undefined && cost <= OFFERED)
      ? [resolved]
      : [],
  );
  const [first, ...others] = open;
  if (clear.length === 0 || others.length > 0) return [];
  const toChoice = (drafts: readonly Ranked[], score: number): Choice => ({
    deeds: toDeeds(drafts),
    score,
    names: drafts.map(({ name }) => name),
  });
  if (first === undefined) return clear.length > 1 ? [toChoice(clear, BESIDE)] : [];
  return first.drafts
    .filter(({ deed, cost }) => deed !== undefined && cost <= OFFERED)
    .slice(0, 2)
    .map((draft) => toChoice([...clear, draft], BESIDE - draft.cost));
}

/** The deeds of drafts. */
export function toDeeds(drafts: readonly Ranked[]): readonly Deed[] {
  return drafts.flatMap(({ deed }) => deed ?? []);
}

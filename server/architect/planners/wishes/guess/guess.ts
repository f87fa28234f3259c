import { type Clause, plainNegators } from "../clause.ts";
import { toContrary, toMistaken } from "../contrary/is-contrary.ts";
import { judgeRights, type RightsJudge } from "../contrary/against-rights.ts";
import { draftAccess } from "../drafts/access-drafts.ts";
import { draftExamples } from "../drafts/example-drafts.ts";
import { draftLabels } from "../drafts/label-drafts.ts";
import type { Places, Thing } from "../places/places.ts";
import { isOfRights, rankDrafts } from "../rank.ts";
import type { Action } from "../words/word-lists.ts";
import { combine } from "./combine.ts";
import { guessEverywhere } from "./everywhere.ts";
import { findIndirect } from "./indirect.ts";
import { guessPlace } from "./guess-place.ts";
import { guessRename } from "./guess-rename.ts";
import type { Guess } from "./guess-value.ts";
import { guessWhole } from "./guess-whole.ts";
import { isContrary } from "./access/guess-rights.ts";
import { guessSettings } from "./guess-settings.ts";
import { idleness, readIntent } from "../intent/read-intent.ts";
import { intentsOf, surpriseOf } from "./intents-of.ts";
import { toLeftSigns } from "./left-signs.ts";
import { type Mood, readMood } from "./mood.ts";
import { findPlace, findShown, speaksOfPresent } from "../samples/find-example.ts";
import { guessSampleEdit } from "../samples/guess-sample-edit.ts";
import { guessSampleSwap } from "../samples/guess-sample-swap.ts";
import { guessSample } from "../samples/guess-sample.ts";
import { findRelevant, type Relevance } from "./relevance.ts";
import { scoreOf, type Signs } from "./signs.ts";

/** A guess with how likely it is: of all guesses and "none of them", the probabilities add up to 1. */
export interface Likely extends Guess {
  readonly score: number;
}

/** How much words elsewhere in the message count. */
const AROUND = 0.4;
/** Guesses that are worth looking at: by how much less than the best they may score. */
const SPREAD = 6;
/** Cost of a draft from which on it is no guess. */
const COSTLY = 2.3;
/** Cost of a draft that settles what roles may do, below which no other guess about that stands beside it. */
const SETTLED = 0.3;

/**
 * What a clause may ask for, the likeliest first. `context` is the message that it is a part of, which may name what the part
 * is about; `mood` are signs of how the message speaks.
 */
export function guess(clause: Clause, places: Places, context?: Clause, speech: Signs = {}): readonly Likely[] {
  const likelihoods = readIntent(clause.text);
  const mood = readMood(clause, likelihoods);
  const near = new Map(findRelevant(clause, places));
  for (const [thing, indirect] of findIndirect(clause, places))
    if ((near.get(thing)?.name ?? 0) < indirect.name) near.set(thing, toJoined(near.get(thing), indirect));
  const around: ReadonlyMap<Thing, Relevance> = context === undefined ? new Map() : findRelevant(context, places);
  const found = new Map<string, Guess>();
  const put = (one: Guess) => {
    const old = found.get(one.name);
    found.set(
      one.name,
      old === undefined
        ? one
        : { ...one, ...old, signs: { ...one.signs, ...old.signs }, words: [...old.words, ...one.words] },
    );
  };
  for (const thing of new Set([...near.keys(), ...around.keys()])) {
    const said = howSaid(clause, thing, near.get(thing), around.get(thing));
    if (said === undefined) continue;
    const swaps = guessSampleSwap(clause, thing);
    for (const one of [
      ...(places.placesOf.get(thing) ?? []).flatMap((place) => guessPlace(clause, place, mood, places)),
      ...guessWhole(clause, thing, mood, places),
      ...guessRename(clause, thing, mood, places, near.get(thing)),
      ...swaps,
      ...(thing.kind === "tool" && swaps.length === 0 ? guessSample(clause, thing, { mood, likelihoods }, places) : []),
      ...(thing.kind === "tool" ? guessSampleEdit(clause, thing, places) : []),
    ])
      put({ ...one, signs: { ...said.named, ...one.signs }, words: [...one.words, ...said.words] });
  }
  for (const one of [
    ...guessElsewhere(clause, mood, places),
    ...guessSettings({ clause, mood, places, near, likelihoods }),
  ])
    put(one);
  const [drafts, rights] = [rankDrafts(clause, places), judgeRights(clause, places)];
  const settled = drafts.find(({ settles }) => settles === true);
  if (settled !== undefined && settled.cost < SETTLED)
    for (const name of found.keys()) if (name !== settled.name && isOfRights(name)) found.delete(name);
  for (const draft of drafts)
    if (draft.deed !== undefined && draft.cost < COSTLY) {
      const named =
        draft.thing === undefined
          ? draft.isNamed === true
            ? NAMED
            : {}
          : toNamed(near.get(draft.thing), around.get(draft.thing));
      put({
        name: draft.name,
        deed: draft.deed,
        signs: { ...named, ...(found.has(draft.name) ? {} : { draft: 1 }), close: COSTLY - draft.cost },
        words: [...draft.explained, ...draft.soft],
      });
    }
  const idle = idleness(likelihoods);
  dropMistaken(found, rights, toMistaken(clause, places));
  const singles = [...found.values()].map((one) => {
    const intents = intentsOf(one, places);
    return {
      ...one,
      signs: {
        ...one.signs,
        ...(intents.length === 0 ? { noIntent: 1 } : { intent: surpriseOf(intents, likelihoods) }),
        idle,
      },
    };
  });
  const joined = new Map(
    [...combine(clause, singles), ...guessEverywhere(clause, singles, places)].map((one) => [one.name, one]),
  );
  const leftSignsOf = toLeftSigns(clause, places);
  const speaksAgainst = toContrary(clause, places, rights);
  const weighed = [...singles, ...joined.values()].map((one): Likely => {
    const signs = { ...one.signs, ...speech, ...leftSignsOf(one), ...(speaksAgainst(one) ? { leftWish: 1 } : {}) };
    return { ...one, signs, score: scoreOf(signs) };
  });
  const sorted = weighed.sort((one, other) => other.score - one.score);
  return sorted.filter(({ score }) => score >= (sorted[0]?.score ?? 0) - SPREAD);
}

/** Drops guesses that are against what a message says of who loses what. */
function dropMistaken(found: Map<string, Guess>, rights: RightsJudge, isMistaken: (name: string) => boolean): void {
  for (const name of found.keys()) if (isMistaken(name) || rights.mistakes(name)) found.delete(name);
  // Beside all that is said of rights, part by part, no half of it is meant, and nothing else.
  const isWhole = [...found.keys()].some((name) => name.startsWith("exchange ") && !rights.halves([name]));
  if (isWhole) for (const name of found.keys()) if (/^(?:grant|revoke) role /.test(name)) found.delete(name);
}

/** How a message names a thing, with the words that do; undefined of an example where it means another of that tool. */
function howSaid(clause: Clause, thing: Thing, near: Relevance | undefined, around: Relevance | undefined) {
  const meant = thing.kind === "example" ? meantExample(clause, thing) : undefined;
  if (meant === false) return undefined;
  return {
    named: { ...toNamed(near, around), ...(meant === undefined ? {} : NAMED) },
    words: [...(near?.words ?? []), ...(meant ?? [])],
  };
}

/**
 * The words by which a message calls an example of a tool, where it tells which one is meant; false where another is, and undefined where it
 * does not tell.
 */
function meantExample(clause: Clause, { tool, example }: Thing): readonly number[] | false | undefined {
  if (tool === undefined || tool.examples.length < 2 || !speaksOfPresent(clause)) return undefined;
  const place = findPlace(clause, tool);
  if (place === undefined) return undefined;
  if (place !== example) return false;
  const shown = findShown(clause, tool);
  return shown?.place === place ? shown.words : [];
}

/** Signs of what a message names as it is written, and that is no thing with keys, or of an example that it tells from the others of its tool. */
const NAMED: Signs = { name: 1, rare: 1, exact: 1 };

/** What names a thing without its name, with the words of its tool and its description that are said besides. */
function toJoined(near: Relevance | undefined, indirect: Relevance): Relevance {
  if (near === undefined) return indirect;
  return {
    ...indirect,
    owner: Math.max(near.owner, indirect.owner),
    soft: Math.max(near.soft, indirect.soft),
    tool: Math.max(near.tool, indirect.tool),
    rival: near.rival,
    words: near.words.union(indirect.words),
  };
}

function toNamed(near: Relevance | undefined, around: Relevance | undefined): Signs {
  const of = (key: "name" | "rare" | "owner" | "soft" | "tool") =>
    Math.max(near?.[key] ?? 0, AROUND * (around?.[key] ?? 0));
  return {
    name: of("name"),
    rare: Math.min(2, of("rare")),
    owner: Math.min(3, of("owner")),
    soft: Math.min(3, of("soft")),
    tool: of("tool"),
    rival: near === undefined ? (around?.rival ?? 0) : near.rival,
    ...(near?.isExact === true ? { exact: 1 } : {}),
  };
}

/** Commands, grants, labels and examples: what the words name exactly, with the verb that the mood supposes. */
function guessElsewhere(clause: Clause, mood: Mood, places: Places): readonly Guess[] {
  const suppose = (...actions: readonly Action[]): Clause => ({
    ...clause,
    negators: [],
    actions: new Map(actions.map((action) => [action, clause.actions.get(action) ?? []])),
  });
  const supposed = [
    ...(mood.isGone ? [suppose("remove", "revoke")] : []),
    ...(mood.isGone && !mood.isNew ? [] : [suppose("add", "grant")]),
    suppose("label", "set"),
  ];
  const plain = plainNegators(clause);
  return supposed.flatMap((one) =>
    [
      ...draftAccess(one, places),
      ...draftLabels(one, places),
      ...draftExamples(one, places).filter(({ name }) => name.startsWith("example ")),
    ].flatMap(({ name, deed, doubt, explained, thing }): readonly Guess[] =>
      deed === undefined
        ? []
        : [
            {
              name,
              deed,
              signs: {
                elsewhere: 1,
                close: Math.max(0, 1.5 - doubt),
                ...([...one.actions.values()].flat().length > 0 ? { verb: 1 } : { noVerb: 1 }),
                ...(thing?.kind === "role" ? { marked: 1 } : {}),
                ...(isContrary(clause, one.actions.has("remove")) ? { against: 1 } : {}),
              },
              words: [...explained, ...plain],
            },
          ],
    ),
  );
}

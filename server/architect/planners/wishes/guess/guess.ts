import { removeExample } from "../../directives/phrases/change-examples.ts";
import { deprecateField, removeField, setFieldNeed } from "../../directives/phrases/change-fields.ts";
import { deprecateTool, removeTool } from "../../directives/phrases/change-tools.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { draftAccess } from "../drafts/access-drafts.ts";
import { type Draft, has, hasNoun, matchThing, toUnnamed } from "../drafts/draft.ts";
import { draftHosts } from "../drafts/host-drafts.ts";
import { draftLabels } from "../drafts/label-drafts.ts";
import { requireField } from "../drafts/thing-drafts.ts";
import type { Places, Thing } from "../places/places.ts";
import type { Action } from "../words/word-lists.ts";
import { addField, findNewField } from "./new-field.ts";
import { FIT, type Guess, guessPlace } from "./guess-value.ts";
import { type Mood, readMood } from "./mood.ts";
import { findRelevant } from "./relevance.ts";
import { guessSettings } from "./guess-settings.ts";

/** Score that a guess needs. */
const LEAST = 2;
/** Score of a guess that the message names exactly: a host, a capability, a label. */
const NAMED = 4;
/** Share of the best score that others need to be offered beside it. */
const NEAR = 0.55;
/** Weight of words that stand elsewhere in the message. */
const AROUND = 0.4;

/**
 * What a clause may ask for, the likeliest first. Nothing is done on a guess: it is offered. `context` is the message that it
 * is a part of, which may name what the part is about.
 */
export function guess(clause: Clause, places: Places, context?: Clause): readonly Guess[] {
  const mood = readMood(clause);
  const best = new Map<string, Guess>();
  const around = new Map(
    (context === undefined ? [] : findRelevant(context, places)).map(({ thing, score }) => [thing, score]),
  );
  const near = new Map(findRelevant(clause, places).map(({ thing, score }) => [thing, score]));
  for (const thing of new Set([...near.keys(), ...around.keys()])) {
    const score = (near.get(thing) ?? 0) + AROUND * (around.get(thing) ?? 0);
    const own = places.placesOf.get(thing) ?? [];
    const guesses = [
      ...own.flatMap((place) => guessPlace(clause, place, mood, places)),
      ...guessWhole(clause, thing, mood, places),
    ];
    for (const one of guesses) {
      const total = one.score + score;
      if (total >= LEAST && total > (best.get(one.name)?.score ?? 0)) best.set(one.name, { ...one, score: total });
    }
  }
  for (const one of [...guessElsewhere(clause, mood, places), ...guessSettings(clause, mood, places)])
    if (one.score > (best.get(one.name)?.score ?? 0)) best.set(one.name, one);
  const sorted = [...best.values()].sort((one, other) => other.score - one.score);
  return sorted.filter(({ score }) => score >= (sorted[0]?.score ?? 0) * NEAR);
}

/** Hosts, commands, grants, labels and examples: what the words name exactly, with the verb that the mood supposes. */
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
  return supposed.flatMap((one) =>
    [...draftAccess(one, places), ...draftLabels(one, places), ...guessHosts(one, places)].flatMap(
      ({ name, deed, doubt, explained }) =>
        deed === undefined ? [] : [{ name, deed, score: NAMED + explained.size * 0.2 - doubt }],
    ),
  );
}

function guessHosts(said: Clause, places: Places): readonly Draft[] {
  // `runner.chat` looks like a host.
  const clause = {
    ...said,
    tokens: said.tokens.map((token) => (places.identifiers.has(token.lower) ? { ...token, text: "" } : token)),
  };
  return places.things.flatMap((thing) => {
    const match = matchThing(clause, thing, places) ?? toUnnamed(thing);
    return (places.placesOf.get(thing) ?? []).flatMap((place) =>
      place.accepts.kind === "list" && place.accepts.of === "host" ? draftHosts(clause, match, place) : [],
    );
  });
}

/** A thing that is to go, or that callers have to give. */
function guessWhole(clause: Clause, thing: Thing, mood: Mood, places: Places): readonly Guess[] {
  const { tool, field, kind, id, example = 0 } = thing;
  const guesses: Guess[] = [];
  // What cannot be done says so when its deed is made.
  const put = (what: string, make: () => Deed, score: number) =>
    guesses.push({ name: `${what} ${id}`, deed: (bench) => make()(bench), score });
  if (field !== undefined) {
    const side = field.side === "output" && !clause.keys.has("values") ? -0.5 : 0;
    if (mood.isNeeded && field.side === "input") put("require", () => requireField(field), FIT.mood);
    if (mood.isOptional) put("relax", () => setFieldNeed(field, false, { isOffered: true }), FIT.mood + side);
    if (has(clause, "remove")) put("remove", () => removeField(field), side);
    if (has(clause, "deprecate")) put("deprecate", () => deprecateField(field), FIT.mood + side);
  } else if (tool !== undefined && kind === "example") {
    if (hasNoun(clause, "example") && has(clause, "remove"))
      put("remove", () => removeExample(tool, tool.examples[example]), FIT.present);
  } else if (tool !== undefined && kind === "tool") {
    if (has(clause, "remove")) put("remove", () => removeTool(places.version, tool), 0);
    const added = findNewField(clause, tool, places);
    if (added !== undefined) put(`add ${added.name} to`, () => addField(tool, added), FIT.present);
    if (has(clause, "deprecate")) put("deprecate", () => deprecateTool(tool), FIT.mood);
  }
  return guesses;
}

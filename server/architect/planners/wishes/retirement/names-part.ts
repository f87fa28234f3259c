import type { Tool } from "../../../../versions/version.ts";
import type { Clause } from "../clause.ts";
import { exactName } from "../guess/relevance.ts";
import type { Places } from "../places/places.ts";
import { isOwner, type Mention } from "./find-mentions.ts";
import { wordsOfReason } from "./find-reason.ts";

/**
 * Tells whether a clause speaks of a part of a tool, and not of the tool: "the flag of builds.start_build", or a field by its name where the
 * order does not name the tool ("card_index on the object search does nothing, flag it as deprecated").
 */
export function namesPart(clause: Clause, tool: Tool, mentions: readonly Mention[], places: Places): boolean {
  const own = mentions.filter((one) => one.tool === tool).map(({ at }) => at);
  if (own.some((at) => isOwner(clause, at))) return true;
  if (own.some((at) => isBesideVerb(clause, at))) return false;
  const reason = new Set(wordsOfReason(clause, places));
  const names = new Set(
    clause.tokens.flatMap(({ lower, kind }, at) =>
      kind === "word" && (clause.weights[at] ?? 0) > 0 && !reason.has(at) ? [lower] : [],
    ),
  );
  return places.things.some((thing) => thing.field !== undefined && thing.tool === tool && names.has(exactName(thing)));
}

/** Tells whether a word is in a part of the text that says to deprecate something. */
function isBesideVerb({ text, tokens, actions }: Clause, at: number): boolean {
  const ends = [...text.matchAll(/[,;:.!?](?=\s)|\s[-–—]\s/g)].map(({ index }) => index);
  const partOf = (place: number) => ends.filter((end) => end < (tokens[place]?.start ?? 0)).length;
  return (actions.get("deprecate") ?? []).some((verb) => partOf(verb) === partOf(at));
}

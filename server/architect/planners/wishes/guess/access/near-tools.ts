import type { Tool } from "../../../../../versions/version.ts";
import type { Places, Thing } from "../../places/places.ts";
import type { Clause } from "../../clause.ts";
import type { Likelihoods } from "../../intent/read-intent.ts";
import type { Mood } from "../mood.ts";
import type { Relevance } from "../relevance.ts";
import type { Signs } from "../signs.ts";

/** A message with what its words tell of it. */
export interface Aim {
  readonly clause: Clause;
  readonly places: Places;
  readonly mood: Mood;
  readonly likelihoods: Likelihoods;
  /** Things that its words speak of. */
  readonly near: ReadonlyMap<Thing, Relevance>;
}

/** A tool that a message may be about, with the signs of it. */
export interface NearTool {
  readonly thing: Thing;
  readonly tool: Tool;
  readonly signs: Signs;
  readonly words: ReadonlySet<number>;
  readonly weight: number;
}

/** The tools that the words of a message come nearest to: "look up how far a claim has come". */
export function toolsNear(near: Aim["near"], most: number): readonly NearTool[] {
  const tools = [...near].flatMap(([thing, { name, rare, soft, isExact, words }]): readonly NearTool[] => {
    const { kind, tool } = thing;
    if (kind !== "tool" || tool === undefined) return [];
    const signs = {
      name,
      rare: Math.min(2, rare),
      soft: Math.min(3, soft),
      ...(isExact ? { exact: 1 } : {}),
    };
    return [{ thing, tool, signs, words, weight: name + Math.min(2, rare) + 0.5 * soft + (isExact ? 2 : 0) }];
  });
  return tools.toSorted((one, other) => other.weight - one.weight).slice(0, most);
}

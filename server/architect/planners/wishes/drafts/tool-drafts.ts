import { removeTool, undeprecateTool } from "../../directives/phrases/change-tools.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Tool } from "../../../../versions/version.ts";
import { retireTool } from "../../directives/retire-tool.ts";
import type { Clause } from "../clause.ts";
import { type Draft, draftAction, has, type Match } from "./draft.ts";
import type { Places } from "../places/places.ts";
import { findMentions, namesUnknown } from "../retirement/find-mentions.ts";
import { namesPart } from "../retirement/names-part.ts";
import { nameOf, readRetirement } from "../retirement/read-retirement.ts";

/** Drafts about a whole tool: it goes, or is deprecated. */
export function draftTool(clause: Clause, match: Match, places: Places): readonly Draft[] {
  const { tool } = match.thing;
  if (tool === undefined) return [];
  const isOnlyTool = isOnlyNamed(clause, match);
  const drafts: Draft[] = [];
  if (has(clause, "undeprecate"))
    return draftAction(
      clause,
      match,
      ["undeprecate", "deprecate", "set", "label", "enable"],
      "undeprecate",
      (bench) => undeprecateTool(tool)(bench),
      { words: clause.negators },
    );
  if (has(clause, "deprecate")) drafts.push(...draftRetirement(clause, match, tool, places));
  // One word of a name is too little to delete a tool.
  const isSaid = clause.tokens.some(
    ({ stems, lower }, at) => match.explained.has(at) && (stems.length > 1 || lower === "tool"),
  );
  if (has(clause, "remove") && isOnlyTool && isSaid)
    drafts.push(
      ...draftAction(clause, match, ["remove"], "remove", (bench) => removeTool(places.version, tool)(bench)),
    );
  return drafts;
}

/** What takes the place of another tool is not what is deprecated. */
function draftRetirement(clause: Clause, match: Match, tool: Tool, places: Places): readonly Draft[] {
  const mentions = findMentions(clause, places);
  const isNext = mentions.some((one) => one.tool === tool && one.isSuccessor);
  if (isNext || namesPart(clause, tool, mentions, places) || namesUnknown(clause, places)) return [];
  const { retirement, words } = readRetirement(clause, tool, mentions);
  const deed: Deed = (bench) => retireTool(tool, retirement)(bench);
  return draftAction(clause, match, ["deprecate", "label", "set", "describe"], nameOf(tool, retirement), deed, {
    words,
  });
}

/** Tells whether no word near the verb may name a part of the tool instead. */
function isOnlyNamed({ weights, tokens, actions }: Clause, { explained }: Match): boolean {
  const verbs = new Set([...actions.values()].flat());
  const isWhole = tokens.every((_, at) => (weights[at] ?? 0) < TALK || explained.has(at) || verbs.has(at));
  const isPart = tokens.some(({ lower }, at) => /^(?:from|of|in|for)$/.test(lower) && explained.has(at + 1));
  return isWhole && !isPart;
}

/** Words of less weight stand beside the wish. */
const TALK = 0.1;

import { deprecateTool, removeTool, undeprecateTool } from "../../directives/phrases/change-tools.ts";
import type { Clause } from "../clause.ts";
import { type Draft, draftAction, has, type Match } from "./draft.ts";
import type { Places, Thing } from "../places/places.ts";

/** Drafts about a whole tool: it goes, or is deprecated. */
export function draftTool(clause: Clause, match: Match, { version, things }: Places): readonly Draft[] {
  const { tool } = match.thing;
  if (tool === undefined) return [];
  const isOnlyTool = isOnlyNamed(clause, match);
  const instead = findInstead(clause, match, things);
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
  if (has(clause, "deprecate")) {
    const words = instead === undefined ? [] : [...instead.words];
    drafts.push(
      ...draftAction(
        clause,
        match,
        ["deprecate", "label", "set", "describe"],
        `deprecate for ${instead?.tool.name ?? ""}`,
        (bench) => deprecateTool(tool, instead?.tool)(bench),
        { words },
      ),
    );
  }
  // One word of a name is too little to delete a tool.
  const isSaid = clause.tokens.some(
    ({ stems, lower }, at) => match.explained.has(at) && (stems.length > 1 || lower === "tool"),
  );
  if (has(clause, "remove") && isOnlyTool && isSaid)
    drafts.push(...draftAction(clause, match, ["remove"], "remove", (bench) => removeTool(version, tool)(bench)));
  return drafts;
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

/** The tool that is to be used in place of another: the one behind "in favour of", "use". */
function findInstead({ tokens }: Clause, { thing }: Match, things: readonly Thing[]) {
  const marker = tokens.findIndex(({ lower }) =>
    ["favour", "favor", "instead", "use", "replaced", "superseded", "zugunsten"].includes(lower),
  );
  if (marker < 0) return undefined;
  const words = tokens
    .map((token, at) => ({ token, at }))
    .filter(({ token, at }) => at > marker && token.kind !== "sign" && token.stems.length > 1);
  const found = things.filter(
    (other) =>
      other.kind === "tool" &&
      other !== thing &&
      words.some(({ token }) =>
        other.names.some(
          (name) => name.length === token.stems.length && name.every((stem) => token.stems.includes(stem)),
        ),
      ),
  );
  const [only, ...others] = found;
  return only?.tool === undefined || others.length > 0
    ? undefined
    : {
        tool: only.tool,
        words: [
          marker,
          ...words.map(({ at }) => at),
          ...tokens.flatMap(({ lower }, at) => (["favour", "favor", "instead", "use"].includes(lower) ? [at] : [])),
        ],
      };
}

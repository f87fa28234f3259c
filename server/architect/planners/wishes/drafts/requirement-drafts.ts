import { dropFrom, requireOf } from "../../directives/phrases/change-capabilities.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, explainNouns, has, matchThing, nameDoubt } from "./draft.ts";
import type { Places } from "../places/places.ts";

/** Form of capabilities. */
export const CAPABILITY = /^(?:tool|work|architect|[a-z]+):[\w.:/-]*\*?$/;

/** Drafts about capabilities that callers of a tool must hold: "nobody should need kb:read for it", "no permission at all". */
export function draftRequirements(clause: Clause, places: Places): readonly Draft[] {
  const nouns = explainNouns(clause, "permission");
  const named = clause.tokens.flatMap(({ text, kind }, at) =>
    kind !== "sign" && CAPABILITY.test(text) ? [{ capability: text, at }] : [],
  );
  const talk = clause.tokens.flatMap(({ lower }, at) =>
    /^(?:need|needs|require|requires|required|take|takes|call|use|hold|longer|more|any|callers?)$/.test(lower)
      ? [at]
      : [],
  );
  const isNegated = clause.negators.length > 0;
  if (named.length === 0 && !(nouns.length > 0 && isNegated)) return [];
  return places.things.flatMap((thing): readonly Draft[] => {
    const { tool } = thing;
    const match = thing.kind === "tool" ? matchThing(clause, thing, places) : undefined;
    if (tool === undefined || match === undefined || match.own === 0) return [];
    // "Take build:logs from them" names no tool besides.
    const isNamed = [...match.explained].some((at) => !named.some((one) => one.at === at) && !nouns.includes(at));
    if (!isNamed) return [];
    const capabilities = named.length > 0 ? named.map(({ capability }) => capability) : tool.requiredCapabilities;
    const isHeld = capabilities.every((capability) => tool.requiredCapabilities.includes(capability));
    const drops = isNegated || has(clause, "remove", "relax");
    if (capabilities.length === 0 || isHeld !== drops || (!drops && !has(clause, "require", "restrict"))) return [];
    const verbs = explainActions(clause, ["remove", "revoke", "relax", "require", "restrict", "set"]) ?? [];
    const explained = new Set([
      ...match.explained,
      ...nouns,
      ...talk,
      ...verbs,
      ...clause.negators,
      ...named.map(({ at }) => at),
    ]);
    return [
      {
        name: `${drops ? "drop" : "require"} ${capabilities.join()} ${tool.name}`,
        label: thing.label,
        thing,
        explained,
        soft: match.soft,
        // Who may call a tool is never guessed.
        doubt: nameDoubt(match) + 0.8,
        deed: drops ? dropFrom(tool, capabilities) : requireOf(tool, capabilities),
      },
    ];
  });
}

import type { Tool } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import type { Clause } from "../clause.ts";
import { type Draft, explainActions, has, matchThing, nameDoubt } from "./draft.ts";
import type { Places } from "../places/places.ts";

/** How capabilities are written. */
export const CAPABILITY = /^(?:tool|work|architect|[a-z]+):[\w.:/-]*\*?$/;

/** Drafts about capabilities that callers of a tool must hold: "nobody should need kb:read for it", "no permission at all". */
export function draftRequirements(clause: Clause, places: Places): readonly Draft[] {
  const nouns = clause.tokens.flatMap((_, at) => (clause.nouns.get(at)?.has("permission") === true ? [at] : []));
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
        deed: requirement(tool, capabilities, drops),
      },
    ];
  });
}

function requirement(tool: Tool, capabilities: readonly string[], drops: boolean): Deed {
  return async (bench) => {
    for (const capability of capabilities) {
      const isChanged = drops
        ? await bench.removeItem(tool.file, ["requiredCapabilities"], capability)
        : await bench.addItem(tool.file, ["requiredCapabilities"], capability);
      if (isChanged) bench.say(`Callers of \`${tool.name}\` ${drops ? "need not" : "must"} hold \`${capability}\`.`);
    }
    bench.need(drops ? "minor" : "major");
  };
}

import type { Clause } from "../clause.ts";
import type { Places, Thing } from "../places/places.ts";
import { isIdentifierOf } from "../drafts/draft.ts";
import { joinGuesses } from "./combine.ts";
import type { Guess } from "./guess-value.ts";

/** Words by which a change is for more than one tool. */
const ALL =
  /\b(?:both|everywhere|all (?:of them|tools|places|over)|either|wherever|as well as|beide[nrs]?|überall|sowohl|ambos|ambas|en todas partes|tanto|partout|les deux|aussi bien)\b|都|两个|到处/iu;

/** Readings that change the values of a field in every tool that has that field with these values. */
export function guessEverywhere(
  clause: Clause,
  guesses: readonly Guess[],
  { named, version }: Places,
): readonly Guess[] {
  const { text } = clause;
  const groups = new Map<string, Guess[]>();
  const isOther = toOther(clause, version);
  for (const one of guesses) {
    const [, at = "", what = ""] = /^(\S+#\S+) (.*)$/s.exec(one.name) ?? [];
    const thing = named.get(at)?.thing;
    if (thing?.field?.side !== "input" || what === "" || isOther(thing)) continue;
    const key = `${toKey(thing)} ${what}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group): readonly Guess[] => {
    if (group.length < 2) return [];
    // Without cores of their own, so that they are joined with nothing else.
    const { core: _, ...whole } = joinGuesses(group);
    return [{ ...whole, signs: { ...whole.signs, everywhere: 1, ...(ALL.test(text) ? { spread: 1 } : {}) } }];
  });
}

/** Makes a check of things of other tools than those that a message names as they are written, where it does not speak of all. */
function toOther({ text, tokens }: Clause, { tools }: Places["version"]): (thing: Thing) => boolean {
  const said = tokens.filter(({ lower }) => /[_.]/.test(lower));
  const meant = [...tools.values()].filter((tool) => said.some(({ lower }) => isIdentifierOf(tool, lower)));
  return ({ tool }) => meant.length > 0 && !ALL.test(text) && !meant.some(({ name }) => name === tool?.name);
}

function toKey({ field, values }: Thing): string {
  return `${field?.name ?? ""} ${JSON.stringify(values)}`;
}

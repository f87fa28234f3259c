import type { Json } from "../../../../../store/store.ts";
import type { Clause } from "../../clause.ts";
import type { Place } from "../../places/places.ts";
import type { Signs } from "../signs.ts";

/** Signs of the side that a field is on: a message that says "output" means one that is given back, and others mostly none. */
export function sideSigns(clause: Clause, { field, names }: Place["thing"]): Signs {
  const isSaid = !names.flat().includes("output") && clause.tokens.some(({ lower }) => /^outputs?$/.test(lower));
  return field !== undefined && (field.side === "output") !== isSaid ? { output: 1 } : {};
}

/** The words that count a list of values, behind one that points to them: "by those two". */
export function countedWords({ tokens, amounts }: Clause, count: number, pointing: RegExp): readonly number[] {
  return amounts.flatMap(({ value, tokens: own }) =>
    value === count && pointing.test(tokens[(own[0] ?? 0) - 1]?.lower ?? "") ? own : [],
  );
}

/** The verbs that take away what stands at a place: the last one before it, or those behind it. */
export function verbsOf({ actions }: Clause, at: number): readonly number[] {
  const verbs = actions.get("remove") ?? [];
  const last = verbs.findLast((one) => one < at);
  return last === undefined ? verbs : [last];
}

/** A word in the singular where all values are: "ferrets" beside `dog` and `cat`. */
export function toSingular(text: string, values: readonly Json[]): string {
  const isPlural = /^[a-z]{3,}s$/i.test(text) && !/(?:ss|us|is|ics)$/i.test(text);
  if (!isPlural || values.some((value) => /[^s]s$/i.test(String(value)))) return text;
  return text
    .replace(/ies$/i, "y")
    .replace(/(ch|sh|x|z)es$/i, "$1")
    .replace(/s$/i, "");
}

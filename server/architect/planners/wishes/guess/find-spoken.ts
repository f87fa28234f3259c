import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import { findItems, type Item } from "../drafts/find-fresh.ts";
import { toStems } from "../words/words.ts";

/** A value that a clause names; loosely where it is in another form: "DVDs", "half board", "no receipt" for `none`. */
export interface Spoken extends Item {
  readonly isLoose?: true;
}

const NONE = /^(?:no|none|nothing|without|kein\w*|ohne|ning[uú]n\w*|sin|aucune?|sans|无|没有)$/;

/** The values that there are already which a clause names, in whatever form. */
export function findSpoken(clause: Clause, values: readonly Json[]): readonly Spoken[] {
  const items = findItems(clause, values);
  const taken = new Set(items.map(({ at }) => at));
  const { tokens } = clause;
  const loose = values.flatMap((value): readonly Spoken[] => {
    if (typeof value !== "string") return [];
    const stems = toStems(value);
    const isAt = (from: number) => {
      const said = tokens.slice(from, from + Math.max(1, stems.length)).flatMap((token) => token.stems);
      return stems.length > 0 && (said.join() === stems.join() || tokens[from]?.stems.join() === stems.join());
    };
    return tokens.flatMap((token, at): readonly Spoken[] => {
      const isSaid = token.kind !== "sign" && isAt(at) && (value.length > 2 || token.lower === value.toLowerCase());
      const isNone = value === "none" && NONE.test(token.lower);
      return taken.has(at) || !(isSaid || isNone) ? [] : [{ value, at, isLoose: true }];
    });
  });
  return [...items, ...loose];
}

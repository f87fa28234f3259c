import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";
import { findLike, type Item } from "../drafts/find-fresh.ts";
import type { Places, Thing } from "../places/places.ts";
import { findCode } from "../../directives/codes.ts";
import { findNames } from "../words/thesaurus.ts";
import { translateStem } from "../words/translations.ts";
import { exactName } from "./relevance.ts";
import { STOP } from "../words/word-lists.ts";
import { toStems } from "../words/words.ts";

/** A present value that a clause names, as it is written or in other words. */
export interface Said extends Item {
  /** True: only other words say it, such as "pounds" for `GBP`. */
  readonly isOther: boolean;
}

/** Letters that a value has at least which is looked for in other words. */
const LONG = 3;

/**
 * The values that a clause names: as they are written, or by words that people have for them. A value that is written
 * somewhere is not looked for in other words.
 */
export function findSaid(clause: Clause, { names, values }: Thing, { thesaurus }: Places): readonly Said[] {
  const written = findLike(clause, values).map((item): Said => ({ ...item, isOther: false }));
  const taken = new Set(written.map(({ at }) => at));
  const found = new Set(written.map(({ value }) => value));
  const own = new Set(names.flat());
  const byName = new Map(
    values.flatMap((value): readonly [string, Json][] =>
      typeof value === "string" && value.length >= LONG && !found.has(value) ? [[toStems(value).join("_"), value]] : [],
    ),
  );
  const others = clause.tokens.flatMap(({ kind, lower, stems }, at): readonly Said[] => {
    if (kind !== "word" || taken.has(at) || clause.negators.includes(at) || stems.some((stem) => own.has(stem)))
      return [];
    const code = lower.length > LONG ? findCode(lower, values) : undefined;
    if (code !== undefined && !found.has(code)) return [{ value: code, at, isOther: true }];
    if (byName.size === 0) return [];
    const said = findNames(clause.tokens, at, thesaurus).filter(({ length }) => length > 1 || !STOP.has(lower));
    const translated = stems.length === 1 && !STOP.has(lower) ? translateStem(stems[0] ?? "") : undefined;
    const known = new Set([...said.map(({ stems: name }) => name.join("_")), ...(translated ?? "").split(" ")]);
    return [...known].flatMap((name) => {
      const value = byName.get(name);
      return value === undefined ? [] : [{ value, at, isOther: true }];
    });
  });
  return [...written, ...others];
}

/** The one value whose words all stand somewhere in a clause that names its field as it is written: "into the next one ... their slot". */
export function findScattered({ tokens }: Clause, thing: Thing, values: readonly Json[]): readonly Said[] {
  if (!tokens.some(({ lower }) => lower === exactName(thing))) return [];
  const placesOf = (value: Json) =>
    toStems(String(value)).map((stem) => tokens.findIndex(({ stems }) => stems.includes(stem)));
  const found = values.flatMap((value): readonly Said[] => {
    const places = placesOf(value);
    return places.length > 1 && !places.includes(-1) ? [{ value, at: Math.max(...places), isOther: true }] : [];
  });
  return found.length === 1 ? found : [];
}

import { listFields } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import type { Place } from "../places/places.ts";

/** Tells whether the word that would name a field only says which text of something else is meant: "the title of task_create". */
export function isOnlyKey({ tokens }: Clause, { thing }: Place, keys: readonly number[]): boolean {
  const [name = [], ...others] = thing.field === undefined ? [] : [thing.names[0]];
  if (thing.field === undefined || others.length > 0 || name.length !== 1) return false;
  const said = tokens.flatMap(({ stems }, at) => (stems.length === 1 && stems[0] === name[0] ? [at] : []));
  return said.length > 0 && said.every((at) => keys.includes(at));
}

/** Tells whether the text of a tool is meant to be that of a field of it: "the description of conversation_id", "how reward is described". */
export function isOfField({ text }: Clause, { thing, key }: Place): boolean {
  if (thing.kind !== "tool" || thing.tool === undefined || (key !== "title" && key !== "description")) return false;
  const known = `${key}s?`;
  return listFields(thing.tool).some(({ name }) => {
    const own = RegExp.escape(name.split(".").at(-1) ?? name);
    return new RegExp(
      String.raw`\b${known} (?:of|for) (?:the |its )?(?:field |argument |input |parameter )?["'\x60]?${own}(?![\w.])|\bhow (?:the )?["'\x60]?${own}["'\x60]? is described|(?<![\w.])${own}['’]s ${known}\b`,
      "iu",
    ).test(text);
  });
}

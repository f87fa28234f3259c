import { listFields } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import type { Place } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";
import type { Signs } from "./signs.ts";

/** Words for a part of what is given to a tool, which is not the tool. */
const PARTS =
  /\b(?:filter|field|argument|parameter|input box|Feld|Argument|campo|filtro|argumento|champ|filtre)\b|字段|参数/i;
const NONE = String.raw`(?:no|without (?:an?|any)|lacks (?:an?|its)|(?:has|have)n['’]?t (?:an?|got an?)|kein\p{L}*|ohne|sin|no tiene|pas de|aucune?|sans|没有|缺少?)`;
const NOTHING_YET = new RegExp(
  String.raw`(?<![\p{L}])${NONE}\s*(?<key>title|heading|label|caption|description|explanation|Titel|Überschrift|Beschreibung|Erklärung|título|descripción|titre|description|标题|说明|描述)`,
  "iu",
);
const TITLES = /^(?:title|heading|label|caption|Titel|Überschrift|título|titre|标题)$/i;

/** Keys whose words name what is to be said, and no field: "the title of task_create". */
const TEXT_KEYS = ["title", "description", "instructions"] as const;

/** How much it speaks against a text of a tool that the message names a part of it. */
const PART_NAMED = 2;

/**
 * How well a new text, whose words are `given`, fits what a message says of what lacks one: "the date filter has no title" is about
 * no tool, and about nothing that has a title.
 */
export function missingSigns(clause: Clause, { thing, key, now }: Place, given: readonly number[]): Signs {
  const own = clause.tokens
    .flatMap(({ kind, text }, at) => (kind === "quoted" || given.includes(at) ? [] : [text]))
    .join(" ");
  const lacks = NOTHING_YET.exec(own)?.groups?.["key"];
  const isLacking = lacks !== undefined && TITLES.test(lacks) === (key === "title");
  const isPart = thing.kind === "tool" && (PARTS.test(own) || namesField(clause, thing.tool, given));
  return {
    ...(isLacking ? (now === undefined ? { now: 0.8 } : { unsure: 1 }) : {}),
    ...(isPart ? { crossed: PART_NAMED } : {}),
  };
}

/** Tells whether a message names a field of a tool by a word of its own. */
function namesField({ tokens, keys }: Clause, tool: Place["thing"]["tool"], given: readonly number[]): boolean {
  const names = new Set(tool === undefined ? [] : listFields(tool).map(({ name }) => name.split(".").at(-1) ?? name));
  const said = new Set(TEXT_KEYS.flatMap((key) => keys.get(key)?.flat() ?? []));
  return tokens.some(
    ({ lower, kind }, at) =>
      kind === "word" && names.has(lower) && !STOP.has(lower) && !said.has(at) && !given.includes(at),
  );
}

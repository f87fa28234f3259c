import { UNUSED } from "../../directives/knows-value.ts";
import type { Json } from "../../../../store/store.ts";
import type { Tool } from "../../../../versions/version.ts";
import type { Deed } from "../../directives/phrase.ts";
import { listFields } from "../../directives/find-field.ts";
import type { Clause } from "../clause.ts";
import type { Places } from "../places/places.ts";
import { STOP } from "../words/word-lists.ts";

/** An optional input that a tool does not have yet. */
export interface NewField {
  readonly name: string;
  readonly schema: Readonly<Record<string, Json>>;
}

/** Names that are tried, at most. */
const NAMES = 3;
const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const FIELD =
  /\b(?:field|input|argument|parameter|property|text|string|number|integer|list|flag|boolean|switch)\b|Feld|campo|champ|字段|参数/i;
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:whole number|integer|int|count)\b|ganze Zahl|número entero|nombre entier|整数/i, "integer"],
  [/\b(?:number|decimal|price|amount)\b|Zahl|número|nombre|数字/i, "number"],
  [
    /\b(?:flag|boolean|bool|yes\/no|ja\/nein|sí\/no|oui\/non|true\/false|on\/off|switch|checkbox)\b|Schalter|booleano|booléen|布尔/i,
    "boolean",
  ],
  [/\b(?:list|array|several)\b|Liste|lista|liste|列表/i, "array"],
];
const FIELD_BEFORE =
  /^(?:field|argument|parameter|property|flag|boolean|number|integer|string|text|list|array|optional|feld|campo|champ|字段|参数)$/i;
const FIELD_BEHIND = /^(?:field|argument|parameter|property|flag|feld|字段|参数)$/i;
const DEFAULT =
  /(?:default(?: value)?(?: is| of)?|standard\w*|por defecto|par défaut|默认值?为?)\s*[:=]?\s*(true|false|yes|no|ja|nein|on|off|-?\d+(?:\.\d+)?)|(?:ohne Angabe|wenn nichts)[^,.]{0,20}? (ja|nein|\d+)|\b(true|false|yes|no|on|off|ja|nein|-?\d+(?:\.\d+)?),? (?:by default|unless|if (?:nothing|not|left)|as (?:a |the )?default|standardmäßig|por defecto|par défaut|wenn nichts)/i;
const LENGTH =
  /maxLength\s*[:=]?\s*(\d+)|(\d[\d,.]*)\s*(?:characters?|chars?|signs|letters|Zeichen|caracteres|caractères|个?字符)/i;
const RANGE = /(?:from|between|von|de|entre|从)?\s*(\d+)\s*(?:to|and|bis|a|à|y|et|到|-|–)\s*(\d+)/i;
const ITEMS =
  /(?:at most|up to|max(?:imum)?|höchstens|bis zu|hasta|jusqu'à|最多)\s*(\d+)|(\d+)\s*(?:at most|tops|max)/i;

/** The inputs that a message may want a tool to take: names that it does not have yet, beside words for a field and its type. */
export function findNewFields({ tokens, text }: Clause, tool: Tool, { identifiers }: Places): readonly NewField[] {
  if (!FIELD.test(text)) return [];
  const known = new Set(listFields(tool).map(({ name }) => name));
  const isNew = (name: string) => NAME.test(name) && !known.has(name);
  const named = tokens.filter(
    ({ kind, text: name, lower }, at) =>
      isNew(name) &&
      ((kind === "quoted" && !identifiers.has(name)) ||
        (name.includes("_") && !identifiers.has(name)) ||
        (kind === "word" &&
          !STOP.has(lower) &&
          !FIELD_BEFORE.test(lower) &&
          (FIELD_BEFORE.test(tokens[at - 1]?.lower ?? "") ||
            FIELD_BEHIND.test(tokens[at + 1]?.lower ?? "") ||
            /^(?:list|array)$/.test(tokens[at - 2]?.lower ?? "") ||
            /^(?:called|named|namens|llamad[oa]|nommée?|叫)$/.test(tokens[at - 1]?.lower ?? "")))),
  );
  const names = [...new Set(named.map(({ text: name }) => name))].slice(0, NAMES);
  const type = TYPES.find(([pattern]) => pattern.test(text))?.[1] ?? "string";
  return names.map((name) => ({ name, schema: { type, ...toBounds(type, text), ...toDefault(type, text) } }));
}

function toDefault(type: string, text: string): Readonly<Record<string, Json>> {
  const [, said, other, third] = DEFAULT.exec(text) ?? [];
  const value = said ?? other ?? third;
  if (value === undefined || (type === "boolean") === /^-?\d/.test(value)) return {};
  return { default: type === "boolean" ? /^(?:true|yes|ja|on)$/i.test(value) : Number(value) };
}

function toBounds(type: string, text: string): Readonly<Record<string, Json>> {
  if (type === "string") {
    const [, given, length = given] = LENGTH.exec(text) ?? [];
    return length === undefined ? {} : { maxLength: Number(length.replaceAll(/[.,]/g, "")) };
  }
  if (type === "array") {
    const [, before, behind] = ITEMS.exec(text) ?? [];
    const most = before ?? behind;
    return { items: { type: "string" }, ...(most === undefined ? {} : { maxItems: Number(most) }) };
  }
  const [, from, to] = type === "boolean" ? [] : (RANGE.exec(text) ?? []);
  return from === undefined || to === undefined ? {} : { minimum: Number(from), maximum: Number(to) };
}

/** Lets a tool take one more input, which its callers may leave out; its handler gets it, and has to be taught to use it. */
export function addField(tool: Tool, { name, schema }: NewField): Deed {
  return async (bench) => {
    await bench.set(tool.file, ["input", "properties", name], { ...schema });
    bench.say(`\`${tool.name}\` takes \`${name}\`${UNUSED}`);
    bench.need("minor");
  };
}

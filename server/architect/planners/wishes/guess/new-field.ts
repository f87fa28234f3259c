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

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const FIELD =
  /\b(?:field|input|argument|parameter|property|text|string|number|integer|list|flag|boolean|switch|place for)\b|Feld|campo|champ|字段|参数/i;
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:whole number|integer|int|count)\b|ganze Zahl|número entero|nombre entier|整数/i, "integer"],
  [/\b(?:number|decimal|price|amount)\b|Zahl|número|nombre|数字/i, "number"],
  [
    /\b(?:flag|boolean|bool|yes\/no|ja\/nein|sí\/no|oui\/non|true\/false|on\/off|switch|checkbox)\b|Schalter|booleano|booléen|布尔/i,
    "boolean",
  ],
  [/\b(?:list|array|several)\b|Liste|lista|liste|列表/i, "array"],
];
const FIELD_BEFORE = /^(?:field|argument|parameter|property|feld|campo|champ|字段|参数)$/i;
const DEFAULT =
  /(?:default(?: value)?(?: is| of)?|standard\w*|por defecto|par défaut|默认值?为?)\s*[:=]?\s*(true|false|yes|no|ja|nein|on|off|-?\d+(?:\.\d+)?)|(?:ohne Angabe|wenn nichts)[^,.]{0,20}? (ja|nein|\d+)/i;
const LENGTH =
  /maxLength\s*[:=]?\s*(\d+)|(\d[\d,.]*)\s*(?:characters?|chars?|signs|letters|Zeichen|caracteres|caractères|个?字符)/i;
const RANGE = /(?:from|between|von|de|entre|从)?\s*(\d+)\s*(?:to|and|bis|a|à|y|et|到|-|–)\s*(\d+)/i;
const ITEMS =
  /(?:at most|up to|max(?:imum)?|höchstens|bis zu|hasta|jusqu'à|最多)\s*(\d+)|(\d+)\s*(?:at most|tops|max)/i;

/** The input that a message wants a tool to take: a name written like one that nothing has, beside words for a field and its type. */
export function findNewField({ tokens, text }: Clause, tool: Tool, { identifiers }: Places): NewField | undefined {
  if (!FIELD.test(text)) return undefined;
  const known = new Set(listFields(tool).map(({ name }) => name));
  const isNew = (name: string) => NAME.test(name) && !known.has(name) && !identifiers.has(name);
  const named = tokens.filter(
    ({ kind, text: name, lower }, at) =>
      isNew(name) &&
      (kind === "quoted" ||
        name.includes("_") ||
        (kind === "word" &&
          !STOP.has(lower) &&
          (FIELD_BEFORE.test(tokens[at - 1]?.lower ?? "") ||
            /^(?:list|array)$/.test(tokens[at - 2]?.lower ?? "") ||
            /^(?:called|named|it|namens|llamad[oa]|nommée?|叫)$/.test(tokens[at - 1]?.lower ?? "")))),
  );
  const [only, ...others] = new Set(named.map(({ text: name }) => name));
  if (only === undefined || others.length > 0) return undefined;
  const type = TYPES.find(([pattern]) => pattern.test(text))?.[1] ?? "string";
  return { name: only, schema: { type, ...toBounds(type, text), ...toDefault(type, text) } };
}

function toDefault(type: string, text: string): Readonly<Record<string, Json>> {
  const [, said, value = said] = DEFAULT.exec(text) ?? [];
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

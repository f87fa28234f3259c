import type { Json } from "../../../../store/store.ts";
import type { Clause } from "../clause.ts";

type Schema = Readonly<Record<string, Json>>;

/** Words for types; of those that are as near to a name, the first. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:flag|boolean|bool|yes\/no|yes or no|ja\/nein|sí\/no|oui\/non|true\/false|on\/off|switch|checkbox|tick ?box|whether)\b|Schalter|booleano|booléen|布尔|是否/gi,
    "boolean",
  ],
  [/\b(?:whole numbers?|integers?|int|count|how many)\b|ganze Zahl|número entero|nombre entier|整数/gi, "integer"],
  [/\b(?:list|array|several)\b|Liste|lista|liste|列表/gi, "array"],
  [/\b(?:string|text|characters|chars|letters|words|Zeichen|texto|texte)\b|文本|字符/gi, "string"],
  [/\b(?:numbers?|decimal|price|amount)\b|Zahl|número|nombre|数字/gi, "number"],
];
/** Characters by which a type stands farther from a name than another for it to be of something else. */
const FAR = 25;
const YES = "true|yes|ja|sí|si|oui|on|an";
const NO = "false|no|nein|non|off|aus";
const VALUE = String.raw`${YES}|${NO}|-?\d+(?:\.\d+)?`;
const DEFAULTS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:default(?:s to| value)?(?: is| of)?|standard\w*|por defecto|par défaut|默认值?为?)\s*[:=]?\s*(${VALUE})(?![\p{L}\d])`,
    "iu",
  ),
  new RegExp(String.raw`(?:ohne Angabe|wenn nichts)[^,.]{0,20}? (${VALUE})(?![\p{L}\d])`, "iu"),
  new RegExp(
    String.raw`(?<![\p{L}\d])(${VALUE})(?: |, )(?:by default|as (?:the |a )?default|unless|if (?:nothing|not)|standardmäßig|por defecto|par défaut)`,
    "iu",
  ),
];
const LENGTH =
  /maxLength\s*[:=]?\s*(\d+)|(\d[\d,.]*)\s*(?:characters?|chars?|signs|letters|Zeichen|caracteres|caractères|个?字符)/i;
const RANGE = /(?:from|between|von|zwischen|de|entre|从)?\s*(\d+)\s*(?:to|and|bis|und|a|à|y|et|到|-|–)\s*(\d+)/i;
const ITEMS =
  /(?:at most|up to|max(?:imum)?|höchstens|bis zu|hasta|jusqu'à|最多)\s*(\d+)|(\d+)\s*(?:at most|tops|max)/i;

/** The schema of a new field, by what a message says around its name, which begins at `start`. */
export function toSchema({ text }: Clause, start: number): Schema {
  const type = findType(text, start) ?? (RANGE.test(text) ? "integer" : "string");
  return { type, ...toBounds(type, text), ...toDefault(type, text) };
}

function findType(text: string, start: number): string | undefined {
  let best: { readonly type: string; readonly distance: number } | undefined;
  for (const [pattern, type] of TYPES)
    for (const { index, 0: word } of text.matchAll(pattern)) {
      const distance = index > start ? index - start : start - index - word.length;
      if (best === undefined || distance + FAR < best.distance) best = { type, distance };
    }
  return best?.type;
}

function toDefault(type: string, text: string): Schema {
  const value = DEFAULTS.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  const isNumber = value !== undefined && /^-?\d/.test(value);
  if (value === undefined || type === "array" || type === "string" || (type === "boolean") === isNumber) return {};
  if (type === "boolean") return { default: new RegExp(`^(?:${YES})$`, "i").test(value) };
  return isNumber ? { default: Number(value) } : {};
}

function toBounds(type: string, text: string): Schema {
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

import type { Json } from "../../../../../store/store.ts";
import type { Clause } from "../../clause.ts";
import { type Schema, toItems, toLengths, toRange } from "./field-bounds.ts";

/** Words for types; of those that are as near to a name, the first. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:flag|boolean|bool|yes\/no|yes or no|ja\/nein|sí\/no|oui\/non|true\/false|on\/off|switch|checkbox|tick ?box|whether)\b|Schalter|boolesch|booleano|booléen|布尔|是否/gi,
    "boolean",
  ],
  [
    /\b(?:whole numbers?|integers?|int|count|how many)\b|\bganze \p{Lu}\p{L}+n\b|ganze Zahl|Ganzzahl|número entero|nombre entier|\bentier\b|整数/giu,
    "integer",
  ],
  [/\b(?:list|array|several)\b|Liste|lista|liste|tableau|列表|数组/gi, "array"],
  [/\b(?:string|text|characters|chars|letters|words|Zeichen|texto|texte)\b|cadena|chaîne|文本|字符/gi, "string"],
  [/\b(?:numbers?|decimal|price|amount)\b|Zahl|número|nombre|数字/gi, "number"],
];
/** Characters by which a type stands farther from a name than another for it to be of something else. */
const FAR = 25;
const YES = "true|yes|ja|sí|si|oui|on|an|是";
const NO = "false|no|nein|non|off|aus|否";
const VALUE = String.raw`${YES}|${NO}|-?\d+(?:\.\d+)?|["'“«「\x60][^"'”»」\x60]+["'”»」\x60]|[a-z]\w*`;
const DEFAULTS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?:default(?:s|ing)?(?: value)?(?: is| of| to| being)?|standard\w*|por defecto|par défaut|默认值?[为是]?)\s*[:=]?\s*(?:es |est |ist )?(${VALUE})(?![\p{L}\d])`,
    "iu",
  ),
  new RegExp(String.raw`(?:ohne Angabe|wenn nichts)[^,.]{0,20}? (${VALUE})(?![\p{L}\d])`, "iu"),
  new RegExp(
    String.raw`(?<![\p{L}\d])(${VALUE})(?: |, )(?:by default|as (?:the |a )?default|unless|(?:if|when|where) (?:nothing|not|nobody|no one|none|it is (?:omitted|left out|not given)|omitted|left out|absent|missing|unset|unstated)|(?:is|being) (?:what (?:we|one|you) (?:assume|take|use)s?|assumed|the default|the standard|usual)|standardmäßig|por defecto|par défaut)`,
    "iu",
  ),
];
/** A regular expression for a whole text. */
const PATTERN = /\^[^\s"“”「」`]+\$/;
const FORMAT =
  /\b(?:as|be|is|being|of|,|:)? ?an? (?:valid |proper |optional )?(e-?mail|date-time|uri|url|uuid)(?: address)?(?![\p{L}-])(?! (?:field|format|of|that|which|name))|\bformat:? [`"']?(date-time|date|time|email|uri|uuid|url)\b|\b(date-time|date|e-?mail|uri|uuid|url)[`"']? format\b/iu;
const ITEM = String.raw`["'“«「\x60]?[\p{L}\d][\p{L}\d_-]*["'”»」\x60]?`;
const JOIN = String.raw`(?:\s*(?:,|、|\||\/)\s*(?:or |and |oder |und |o |y |ou |et )?|\s+(?:or|and|oder|und|o|y|ou|et)\s+|\s*[或和]\s*)`;
/** "one of small, medium and large" */
const CHOICES = new RegExp(
  String.raw`(?:\b(?:one of|either|that (?:is|can be|may be)|which (?:is|can be|may be)|values?|choices|options|enum|entweder|eine[rs]? von|uno de|una de|parmi)\b(?: of)?|可选值[为是]?|取值[为是]?)\s*[:：(（]?\s*(${ITEM}(?:${JOIN}${ITEM})+)`,
  "iu",
);

/** "calm, annoyed or furious" behind a colon or a bracket. */
const LISTED = new RegExp(
  String.raw`[:(（：]\s*(${ITEM}(?:\s*,\s*${ITEM})*(?:\s*,)?\s+(?:or|oder|ou|o)\s+${ITEM})(?=\s*(?:[,.;)）]|$))`,
  "iu",
);
/** Words of types and needs, which no choice is. */
const NO_CHOICE =
  /^(?:yes|no|ja|nein|true|false|optional|required|text|string|number|integer|boolean|list|more|less|so)$/i;

/** The schema of a new field, by what a message says around its name, which begins at `start`. */
export function toSchema(clause: Clause, start: number): Schema {
  const before = toDigits(clause, 0, start);
  const text = before + toDigits(clause, start, clause.text.length);
  const pattern = PATTERN.exec(text)?.[0];
  const choices = pattern === undefined ? findChoices(text) : undefined;
  const found = findType(text.replace(pattern ?? "^", " "), before.length);
  const type =
    choices !== undefined && found !== "array"
      ? choices.every((one) => typeof one === "number")
        ? "integer"
        : "string"
      : (found ?? (pattern === undefined && toRange(text).maximum !== undefined ? "integer" : "string"));
  const format = FORMAT.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
  const own: Schema = {
    ...(pattern === undefined ? {} : { pattern }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(format === undefined ? {} : { format: format.toLowerCase().replace("e-mail", "email").replace("url", "uri") }),
  };
  if (type === "string")
    return { type, ...own, ...((choices ?? pattern) ? {} : toLengths(text)), ...toDefault(type, text, choices) };
  if (type === "array") return { type, ...toItems(text, own) };
  const bounds = type === "boolean" || choices !== undefined ? {} : toRange(text);
  return { type, ...(type === "boolean" ? {} : own), ...bounds, ...toDefault(type, text, choices) };
}

/** A part of the text of a message, with its numbers in digits. */
function toDigits({ text, tokens, amounts }: Clause, from: number, to: number): string {
  const words = amounts.flatMap(({ value, tokens: [at = 0], role }) => {
    const token = tokens[at];
    const isWord = token?.kind === "word" && role !== "factor" && token.start >= from && token.end <= to;
    return isWord && /^(?!an?$|une?$|eine)/i.test(token.text) ? [{ ...token, value }] : [];
  });
  let done = "";
  let at = from;
  for (const { start, end, value } of words) {
    done += `${text.slice(at, start)}${value}`;
    at = end;
  }
  return done + text.slice(at, to);
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

function findChoices(text: string): readonly Json[] | undefined {
  const said = CHOICES.exec(text)?.[1] ?? LISTED.exec(text)?.[1];
  const items = said?.split(new RegExp(JOIN, "iu")).map((one) => one.replaceAll(/["'“”«»「」`]/g, ""));
  if (items === undefined || new Set(items).size !== items.length || items.some((one) => NO_CHOICE.test(one)))
    return undefined;
  return items.every((one) => /^\d+$/.test(one)) ? items.map(Number) : items;
}

function toDefault(type: string, text: string, choices: readonly Json[] | undefined): Schema {
  const said = DEFAULTS.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  if (said === undefined) return {};
  const value = said.replaceAll(/["'“”«»「」`]/g, "");
  if (type === "boolean") {
    const isOn = new RegExp(`^(?:${YES})$`, "i").test(value);
    return isOn || new RegExp(`^(?:${NO})$`, "i").test(value) ? { default: isOn } : {};
  }
  if (type !== "string")
    return /^-?\d/.test(value) && (choices?.includes(Number(value)) ?? true) ? { default: Number(value) } : {};
  return (choices === undefined ? value !== said : choices.includes(value)) ? { default: value } : {};
}

import type { Json } from "../../../../../store/store.ts";

export type Schema = Readonly<Record<string, Json>>;

const MOST = String.raw`(?:at most|up to|max(?:imum|\.)?(?: of)?|no more than|not more than|no longer than|not longer than|longer than|höchstens|maximal|bis zu|nicht mehr als|hasta|como máximo|máximo(?: de)?|jusqu['’]à|au plus|maximum|最多|不超过|至多|<=|≤)`;
const LEAST = String.raw`(?:at least|min(?:imum|\.)?(?: of)?|no less than|no fewer than|not less than|mindestens|al menos|como mínimo|mínimo(?: de)?|au moins|minimum|至少|不少于|>=|≥)`;
const LETTERS = String.raw`(?:characters?|chars?|signs|letters|symbols|Zeichen|Buchstaben|caracteres|letras|caractères|lettres|signes|个?字符?|个?字)`;
const BEHIND = String.raw`(?:at (?:the )?(?:very )?most|at the very most|tops|max|or fewer|or less|höchstens|como máximo|maximum|au plus)`;
const RANGE = /(?:from|between|von|zwischen|de|entre|从)?\s*(-?\d+)\s*(?:to|and|bis|und|a|à|y|et|到|至|-|–)\s*(-?\d+)/i;
const ITEM_TYPES: readonly (readonly [RegExp, string])[] = [
  [/\bintegers\b|\bwhole numbers\b|ganze[nr]? Zahlen|Ganzzahlen|enteros|entiers|整数/i, "integer"],
  [/\bnumbers\b|Zahlen|números|nombres|数字/i, "number"],
  [/\bbooleans\b/i, "boolean"],
];

/** Bounds of the length of a text that a message says. */
export function toLengths(text: string): Schema {
  const both = new RegExp(`${RANGE.source}\\s*${LETTERS}`, "i").exec(text);
  if (both !== null) return { minLength: Number(both[1]), maxLength: Number(both[2]) };
  const least = numberIn(text, `${LEAST}\\s*(\\d[\\d,.]*)\\s*${LETTERS}`);
  const said = text.replace(new RegExp(`${LEAST}\\s*\\d[\\d,.]*\\s*${LETTERS}`, "i"), " ");
  const most =
    numberIn(said, "maxLength\\s*[:=]?\\s*(\\d+)") ??
    numberIn(said, `(\\d[\\d,.]*)\\s*${LETTERS}`) ??
    // "A string, not longer than 20"
    numberIn(said, `${MOST}\\s*(\\d+)(?![\\d.,]*\\d|\\s*[\\p{L}%°€$])`);
  return { ...(least === undefined ? {} : { minLength: least }), ...(most === undefined ? {} : { maxLength: most }) };
}

/** What a list may have: how many items, and of which type and length; `own` is what else is said of each. */
export function toItems(text: string, own: Schema): Schema {
  const type = ITEM_TYPES.find(([pattern]) => pattern.test(text))?.[1] ?? "string";
  const not = String.raw`(?![\d,.]*\d|\s*${LETTERS})`;
  const most = numberIn(text, `${MOST}\\s*(\\d+)${not}`) ?? numberIn(text, `(\\d+)(?: \\p{L}+)? ${BEHIND}`);
  const least = numberIn(text, `${LEAST}\\s*(\\d+)${not}`);
  return {
    items: { type, ...own, ...(type === "string" ? toLengths(text) : {}) },
    ...(least === undefined ? {} : { minItems: least }),
    ...(most === undefined ? {} : { maxItems: most }),
  };
}

/** Bounds of a number that a message says. */
export function toRange(text: string): Schema {
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { minimum: Number(from), maximum: Number(to) };
  const least = numberIn(text, `${LEAST}\\s*(-?\\d+(?:\\.\\d+)?)`);
  const most = numberIn(text, `${MOST}\\s*(-?\\d+(?:\\.\\d+)?)`) ?? numberIn(text, `(\\d+) ${BEHIND}`);
  return { ...(least === undefined ? {} : { minimum: least }), ...(most === undefined ? {} : { maximum: most }) };
}

/** The number that a pattern finds, its thousands set apart or not. */
function numberIn(text: string, pattern: string): number | undefined {
  const said = new RegExp(pattern, "iu").exec(text)?.[1];
  if (said === undefined) return undefined;
  return Number(/^\d{1,3}(?:[.,]\d{3})+$/.test(said) ? said.replaceAll(/[.,]/g, "") : said.replace(/[.,]$/, ""));
}

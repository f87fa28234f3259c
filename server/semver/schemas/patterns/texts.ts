import addFormats from "ajv-formats";
import { FORMATS } from "../../../json/schema-keywords.ts";
import type { StringShape } from "../shape.ts";
import type { Texts } from "./languages.ts";

const HEX = "[0-9a-fA-F]";
const TIME = String.raw`\d\d:\d\d:\d\d(?:\.\d+)?(?:[zZ]|[+-]\d\d(?::?\d\d)?)?`;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;

/** Formats that are patterns for the validators, exactly. */
const PATTERNS_OF: Readonly<Record<string, string>> = {
  ipv4: String.raw`^(?:${BYTE}\.){3}${BYTE}$`,
  "json-pointer": "^(?:/(?:[^~/]|~0|~1)*)*$",
  uuid: `^(?:[uU][rR][nN]:[uU][uU][iI][dD]:)?${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}$`,
};

/** Patterns of formats that the validators look at more closely still. */
const AT_MOST: Readonly<Record<string, string>> = {
  date: String.raw`^\d{4}-\d\d-\d\d$`,
  "date-time": String.raw`^\d{4}-\d\d-\d\d[tT\s]${TIME}$`,
  hostname: String.raw`^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9.])?$`,
  time: `^${TIME}$`,
  ...PATTERNS_OF,
};

/** Pattern of exactly the texts that the validators take for a format. */
export function patternOf(format: string): string | undefined {
  return Object.hasOwn(PATTERNS_OF, format) ? PATTERNS_OF[format] : undefined;
}

/** Texts that a shape has, and perhaps more: other formats and conditions are passed over. */
export function toTexts({ patterns, formats, opaque, minLength, maxLength }: StringShape): Texts {
  const ofFormats = [...formats].flatMap((format) => (Object.hasOwn(AT_MOST, format) ? [AT_MOST[format] ?? ""] : []));
  const not = [...opaque].flatMap((text) => readOpposite(text) ?? []);
  return { patterns: [...patterns, ...ofFormats], not, minLength, maxLength };
}

/** Reads the pattern that a text must not match, from `not {"pattern":"..."}`. */
function readOpposite(text: string): string | undefined {
  if (!text.startsWith(`not {"pattern":"`)) return undefined;
  const value: unknown = JSON.parse(text.slice("not ".length));
  const { pattern } = value as { readonly pattern?: unknown };
  return typeof pattern === "string" ? pattern : undefined;
}

/** Checks a text by the function that the validators check the format with; undefined for formats that they do not know. */
export function hasFormat(format: string, text: string): boolean | undefined {
  const known = FORMATS.find((name) => name === format);
  const checked = known && addFormats.default.get(known);
  const validate = typeof checked === "object" && "validate" in checked ? checked.validate : checked;
  if (validate instanceof RegExp) return validate.test(text);
  if (typeof validate !== "function") return undefined;
  const answer: unknown = (validate as (text: string) => unknown)(text);
  return typeof answer === "boolean" ? answer : undefined;
}

import type { Json } from "../../json/types.ts";

const VALUES_SHOWN = 8;
const LENGTH_SHOWN = 60;

const TYPES_IN_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a text",
};

export function showType(type: string): string {
  return TYPES_IN_WORDS[type] ?? type;
}

export function showValues(values: readonly Json[]): string {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => `\`${shorten(JSON.stringify(value))}\``);
  return values.length > VALUES_SHOWN ? `${shown.join(", ")}, ...` : shown.join(", ");
}

export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Describes a path as the subject of a sentence. */
export function showPlace(path: readonly string[]): string {
  if (path.length === 0) return "The value";
  if (path.at(-1) === "*")
    return path.length === 1 ? "Any other member" : `Any other member of ${quote(path.slice(0, -1))}`;
  return quote(path);
}

function quote(path: readonly string[]): string {
  return `\`${path.join(".").replaceAll(".[]", "[]")}\``;
}

function shorten(text: string): string {
  return text.length > LENGTH_SHOWN ? `${text.slice(0, LENGTH_SHOWN)}...` : text;
}

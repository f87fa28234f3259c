import { isRecord } from "./is-record.ts";

/** A JSON value as YAML that every reader takes for the same: in blocks, with quotes around all text. */
export function toYaml(value: Readonly<Record<string, unknown>>): string {
  return `${writeMembers(value, "").join("\n")}\n`;
}

function writeMembers(value: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([key, member]) => writeUnder(`${indent}${writeKey(key)}:`, member, `${indent}  `));
}

function writeItems(items: readonly unknown[], indent: string): string[] {
  return items.flatMap((item) => writeUnder(`${indent}-`, item, `${indent}  `));
}

/** Writes a value behind `head` in its line, or below it. */
function writeUnder(head: string, value: unknown, indent: string): string[] {
  if (Array.isArray(value) && value.length > 0) return [head, ...writeItems(value, indent)];
  if (isRecord(value) && Object.keys(value).length > 0) return [head, ...writeMembers(value, indent)];
  return [`${head} ${writeScalar(value)}`];
}

function writeScalar(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  // JSON leaves some characters as they are that YAML does not take.
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Words that some readers take for something else than text. */
const WORDS = new Set("y n yes no on off true false null".split(" "));

function writeKey(key: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) && !WORDS.has(key.toLowerCase()) ? key : writeScalar(key);
}

import { readPointer } from "../../../json/pointer.ts";

const MAX_VALUES_SHOWN = 30;
const MAX_TEXT_SHOWN = 60;

/** A JSON Pointer as people write paths: `/messages/0/text` is `messages[0].text`. */
export function showPath(pointer: string): string {
  const steps = readPointer(pointer);
  if (steps.length === 0) return "the value";
  const text = steps.map((step) => {
    if (/^\d+$/.test(step)) return `[${step}]`;
    return /^[\w$-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step.slice(0, MAX_TEXT_SHOWN))}]`;
  });
  return `\`${text.join("").replace(/^\./, "")}\``;
}

export function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return text.length > MAX_TEXT_SHOWN ? `${text.slice(0, MAX_TEXT_SHOWN)}…` : text;
}

export function showValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES_SHOWN).map(showValue).join(", ");
  return values.length > MAX_VALUES_SHOWN ? `${shown} and ${values.length - MAX_VALUES_SHOWN} more` : shown;
}

export function showTypes(types: readonly string[]): string {
  return types.map((type) => TYPES[type] ?? type).join(" or ");
}

const TYPES: Readonly<Record<string, string>> = {
  array: "an array",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

export function showCount(count: unknown, singular: string, plural = `${singular}s`): string {
  return `${String(count)} ${count === 1 ? singular : plural}`;
}

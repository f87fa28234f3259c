import type { JsonSchema } from "../../../server/host-api.ts";
import { type Draft, type Found, isOpen, take } from "./draft.ts";
import { findFormat } from "./formats.ts";
import { matchesPattern } from "./matches-pattern.ts";
import type { Field } from "./read-fields.ts";

/** Reads what has a form of its own (addresses, identifiers) into text fields that ask for the form. */
export function fillFormats(draft: Draft, fields: readonly Field[]): Draft {
  return fields.reduce(
    (filled, field) =>
      field.kind === "text" && isOpen(filled, field) ? take(filled, field, findForm(filled.rest, field)) : filled,
    draft,
  );
}

function findForm(rest: string, { schema }: Field): Found | undefined {
  const { format, pattern } = schema;
  if (typeof format === "string") {
    const span = findFormat(rest, format);
    return span && { ...span, value: rest.slice(span.start, span.end) };
  }
  return typeof pattern === "string" ? findMatchingWord(rest, schema) : undefined;
}

/** The first word that has the form, if the form is telling: one that any word has would take the wrong one. */
function findMatchingWord(rest: string, schema: JsonSchema): Found | undefined {
  if (["the", "please", "Weather"].some((word) => matchesPattern(schema, word) !== false)) return undefined;
  for (const { 0: word, index } of rest.matchAll(/[^\s\uFFFC,;!?()"“”]+/g)) {
    const value = word.replace(/[.:]+$/, "");
    if (matchesPattern(schema, value)) return { start: index, end: index + value.length, value };
  }
  return undefined;
}

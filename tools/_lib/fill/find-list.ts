import { type Draft, isOpen, take } from "./draft.ts";
import { extractNumbers } from "./extract-numbers.ts";
import { findChoices } from "./find-choice.ts";
import { fits } from "./fits.ts";
import type { Field } from "./read-fields.ts";

const SEPARATORS = /\s*(?:,|;|\band\b)\s*/i;

/** Reads lists: every choice or number that is mentioned, or what follows the field's name, split at commas and "and". */
export function fillLists(draft: Draft, fields: readonly Field[]): Draft {
  return fields.reduce(
    (filled, field) => (field.kind === "list" && isOpen(filled, field) ? fillList(filled, field) : filled),
    draft,
  );
}

function fillList(draft: Draft, field: Field): Draft {
  const { items } = field;
  if (items?.kind === "choice" || items?.kind === "number" || items?.kind === "integer") {
    const found = items.kind === "choice" ? findChoices(draft.rest, items) : extractNumbers(draft.rest);
    const values = [...new Set(found.map(({ value }) => value))].filter((value) => fits(items, value));
    const [first, last] = [found[0], found.at(-1)];
    if (!first || !last || values.length === 0 || !(field.required || items.kind === "choice")) return draft;
    return take(draft, field, { start: first.start, end: last.end, value: values });
  }
  if (items && items.kind !== "text") return draft;
  const name = new RegExp(
    String.raw`(?<!\p{L})(?:${field.words.map((word) => RegExp.escape(word)).join(String.raw`\s+`)})\s*:?\s+(?<list>[^.;!?\n\uFFFC]+)`,
    "iu",
  );
  const match = name.exec(draft.rest);
  const list = match?.groups?.["list"];
  if (!match || list === undefined) return draft;
  const value = list
    .split(SEPARATORS)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return take(draft, field, { start: match.index, end: match.index + match[0].length, value });
}

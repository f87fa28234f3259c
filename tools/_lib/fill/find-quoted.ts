import { tokenise } from "../language/tokenise.ts";
import { type Draft, isOpen, take } from "./draft.ts";
import { findChoices } from "./find-choice.ts";
import type { Field } from "./read-fields.ts";

const QUOTED =
  /"([^"\uFFFC]{1,2000})"|“([^”\uFFFC]{1,2000})”|«([^»\uFFFC]{1,2000})»|`([^`\uFFFC]{1,2000})`|(?<![\p{L}\p{N}])'([^'\uFFFC]{1,2000})'(?![\p{L}\p{N}])/gu;

/** Reads what stands in quotes into text fields: the one named just before, else required ones in their order. */
export function fillQuoted(draft: Draft, fields: readonly Field[]): Draft {
  let filled = draft;
  for (const match of draft.rest.matchAll(QUOTED)) {
    const value = match.slice(1).find((text) => text !== undefined) ?? "";
    const open = fields.filter((field) => field.kind === "text" && isOpen(filled, field));
    if (fields.some((field) => findChoices(value, field).some(({ start, end }) => end - start === value.length)))
      continue;
    const before = tokenise(draft.rest.slice(0, match.index)).at(-1)?.word;
    const field =
      open.find(({ words }) => before !== undefined && words.includes(before)) ??
      open.find(({ required }) => required) ??
      open[0];
    if (field) filled = take(filled, field, { start: match.index, end: match.index + match[0].length, value });
  }
  return filled;
}

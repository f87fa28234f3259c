import { fits } from "./fits.ts";
import type { Field } from "./read-fields.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** Part of a message. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value for a field and the words it was read from. */
export interface Found extends Span {
  readonly value: unknown;
}

/**
 * A tool's arguments while they are read out of a message. Words that became a value turn into `GONE` characters, as many
 * as they were, so that no two fields read the same words and no value reaches across them.
 */
export interface Draft {
  readonly values: Arguments;
  readonly rest: string;
}

export const GONE = "\uFFFC";

/** The draft with `found` as the value of `field`; unchanged where it does not fit. */
export function take(draft: Draft, field: Field, found: Found | undefined): Draft {
  if (!found || !fits(field, found.value)) return draft;
  return { values: { ...draft.values, [field.name]: found.value }, rest: erase(draft.rest, found) };
}

export function isOpen({ values }: Draft, { name }: Field): boolean {
  return !Object.hasOwn(values, name);
}

export function erase(text: string, { start, end }: Span): string {
  return text.slice(0, start) + GONE.repeat(end - start) + text.slice(end);
}

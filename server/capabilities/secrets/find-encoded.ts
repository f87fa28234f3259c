import { createView, decodeEscapes, decodeRuns, type View } from "./decoded-views.ts";

/** Range of a text, from its first character to behind its last. */
export type Range = readonly [start: number, end: number];

/** Levels of escapes, such as JSON in JSON, that are undone one after the other. */
const ESCAPE_LEVELS = 5;
/** Levels of base64 and hexadecimal, such as a token in base64 that holds an address in base64. */
const RUN_LEVELS = 2;
/** Characters that are read in all, as a multiple of the text: one that is made to be read again and again would take the service's time. */
const MAX_READ = 32;

/** Characters of a decoded value at least; a shorter one would be found in ordinary words. */
const NEEDLE_MIN = 8;

interface Search {
  readonly needles: readonly string[];
  /** Length of the shortest of them. */
  readonly least: number;
  readonly found: Range[];
  /** Characters that may still be read. */
  left: number;
}

/**
 * Finds values in a text whatever they were encoded with, again and again: escapes of each character, base64, hexadecimal.
 * Small and capital letters count alike. Returns `undefined` for a text that takes too long to search.
 */
export function findEncoded(text: string, values: readonly string[]): readonly Range[] | undefined {
  const needles = [...new Set(values.flatMap(listDecoded).map(fold))];
  const least = Math.min(...needles.map(({ length }) => length));
  const search: Search = { needles, least, found: [], left: MAX_READ * (text.length + 1024) };
  visit(search, createView(text), ESCAPE_LEVELS, RUN_LEVELS);
  return search.left < 0 ? undefined : search.found;
}

function visit(search: Search, view: View, escapes: number, runs: number): void {
  search.left -= view.text.length;
  if (search.left < 0) return;
  const text = fold(view.text);
  for (const needle of search.needles) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      search.found.push([view.starts[at] ?? 0, view.ends[at + needle.length - 1] ?? 0]);
    }
  }
  if (runs > 0) for (const decoded of decodeRuns(view, search.least)) visit(search, decoded, escapes, runs - 1);
  const decoded = escapes > 0 ? decodeEscapes(view) : undefined;
  if (decoded !== undefined) visit(search, decoded, escapes - 1, runs);
}

/** Lists a value, and the text that each further decoding makes of it, as a decoder does that decodes all around it. */
function listDecoded(value: string): readonly string[] {
  const texts = [value];
  for (let view = decodeEscapes(createView(value)); view !== undefined; view = decodeEscapes(view))
    texts.push(view.text);
  return texts.filter((text) => text === value || text.length >= NEEDLE_MIN);
}

/** Folds letters of ASCII to small ones, and the `+` of forms to the space that it stands for; nothing moves. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replaceAll("+", " ");
}

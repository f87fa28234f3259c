import { showHidden, toEscapes } from "./find-hidden.ts";

/**
 * Text for a terminal, a log or a message: hidden characters, line breaks and tabs become escapes as in JSON (`\u202e`), so
 * that no terminal takes them for an order and a line stays a line.
 */
export function printable(text: string): string {
  return showHidden(text).replace(/[\n\t]/g, toEscapes);
}

/** Escapes several lines, which stay apart. JSON stays equal JSON: within its strings, these are escapes. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

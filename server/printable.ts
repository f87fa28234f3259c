import { locateHidden } from "./find-hidden.ts";

/**
 * Text for a terminal, a log or a message: hidden characters, line breaks and tabs become escapes as in JSON (`\u202e`), so
 * that no terminal takes them for an order and a line stays a line.
 */
export function printable(text: string): string {
  let shown = "";
  let end = 0;
  for (const { character, at } of locateHidden(text)) {
    shown += text.slice(end, at) + toEscapes(character);
    end = at + character.length;
  }
  return (shown + text.slice(end)).replace(/[\n\t]/g, toEscapes);
}

/** The same of several lines, which stay apart. JSON stays the same JSON: within its strings, these are escapes. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

function toEscapes(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

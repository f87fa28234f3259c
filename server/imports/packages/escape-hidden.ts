import { locateHidden } from "../../text/find-hidden.ts";

/** The code with characters that nobody sees written as escapes, which mean the same in strings and patterns. */
export function escapeHidden(code: string): string {
  let text = "";
  let end = 0;
  for (const { character, at } of locateHidden(code)) {
    if (character === "\r") continue;
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    const escapes = units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
    text += code.slice(end, at) + escapes.join("");
    end = at + character.length;
  }
  return text + code.slice(end);
}

/** Control characters, those that turn the direction of text, have no width or only carry other signs, and halves of characters. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{fffd}\u{2800}]|(?!\u{fe0e}|\u{fe0f})\p{Default_Ignorable_Code_Point}|(?<=[\u{fe0e}\u{fe0f}])[\u{fe0e}\u{fe0f}]/gu;
/**
 * Joiners in the places where people see what they do: in one picture of several signs, and within words of scripts whose
 * letters change with them (Unicode Standard Annex 31, section 2.3).
 */
const JOINING =
  /(?<=\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]?)\u{200d}(?=\p{Extended_Pictographic})|(?<=[\p{L}\p{M}])(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}])[\u{200c}\u{200d}]/gu;

export interface Hidden {
  /** One character, of one or two UTF-16 units. */
  readonly character: string;
  /** Place in the text, in UTF-16 units. */
  readonly at: number;
}

/** Finds where a text has characters that nobody sees, other than line breaks and tabs. Models and programs do see them. */
export function locateHidden(text: string): readonly Hidden[] {
  const found = [...text.matchAll(HIDDEN)].filter(([character]) => character !== "\n" && character !== "\t");
  if (found.length === 0) return [];
  const joining = new Set([...text.matchAll(JOINING)].map(({ index }) => index));
  return found.map(({ 0: character, index: at }) => ({ character, at })).filter(({ at }) => !joining.has(at));
}

/** The characters of a text, each once, that people do not see. */
export function findHidden(text: string): readonly string[] {
  return [...new Set(locateHidden(text).map(({ character }) => character))];
}

/** Names a character as Unicode does: `U+202E`. */
export function toCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The text with what nobody sees in it written as escapes of JSON (`\u202e`). Line breaks and tabs stay. */
export function showHidden(text: string): string {
  let shown = "";
  let end = 0;
  for (const { character, at } of locateHidden(text)) {
    shown += text.slice(end, at) + toEscapes(character);
    end = at + character.length;
  }
  return shown + text.slice(end);
}

/** Escapes of JSON for each UTF-16 unit of a text: `\u202e`. */
export function toEscapes(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

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

/** Joins signs to one picture, as in a family of emoji. */
const JOINER = "\u200d";
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{fffd}\u{2800}]|(?!\u{fe0e}|\u{fe0f})\p{Default_Ignorable_Code_Point}/gu;
const JOINED = /\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]*\u{200d}(?=\p{Extended_Pictographic})/gu;

/**
 * The characters of a text, each once, that people do not see: control characters but for line breaks and tabs, those that
 * turn the direction of text, that have no width, that only carry other signs, and halves of characters.
 */
export function findHidden(text: string): readonly string[] {
  const plain = text.replaceAll(JOINED, (picture) => picture.replaceAll(JOINER, ""));
  return [...new Set(plain.match(HIDDEN))].filter((char) => char !== "\n" && char !== "\t");
}

/** The text with what nobody sees in it written as escapes. */
export function showHidden(text: string): string {
  let shown = text.replaceAll("\r\n", "\n");
  for (const char of findHidden(shown)) shown = shown.replaceAll(char, `\\u{${char.codePointAt(0)?.toString(16)}}`);
  return shown;
}

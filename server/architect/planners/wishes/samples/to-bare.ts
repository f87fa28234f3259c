/** A text whose code is read like its other words: no backquotes, no braces, and no quotation marks around names. */
export function toBare(text: string): string {
  return text.replaceAll(/[`{}]/g, " ").replaceAll(/(["'])(\w+)\1(?=\s*:)/g, " $2 ");
}

/** Tells whether a text has code that may be an example. */
export function hasCode(text: string): boolean {
  return /[`{]/.test(text);
}

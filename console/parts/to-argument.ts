/** Quotes a text of an address for a shell, so that a link cannot make another command of the one that readers copy. */
export function toArgument(text: string): string {
  return /^[\w.+@^][\w.+@^~-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

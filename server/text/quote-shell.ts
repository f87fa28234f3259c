/** One word of a POSIX shell in single quotes, between which nothing has a meaning but their end. */
export function quoteShell(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

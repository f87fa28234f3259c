/** Writes a number of things in words: `1 tool`, `3 tools`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

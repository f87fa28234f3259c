/** The lines of `after` that `before` does not have anywhere. */
export function addedLines(before: string | undefined, after: string | undefined): readonly string[] {
  const known = new Set((before ?? "").split("\n"));
  return (after ?? "").split("\n").filter((line) => !known.has(line));
}

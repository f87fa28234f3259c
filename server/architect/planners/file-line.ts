const DONE = {
  added: "Adds",
  modified: "Changes",
  replaced: "Replaces",
  deleted: "Deletes",
  renamed: "Renames",
} as const;
const LINE = new RegExp(
  String.raw`^(?:${Object.values(DONE).join("|")}) \x60([^\x60]+)\x60(?: \(it was \x60[^\x60]+\x60\))?\.$`,
);

/** Sentence about a file of which nothing is known but that it becomes another. */
export function toFileLine(change: keyof typeof DONE, path: string, from = path): string {
  return `${DONE[change]} \`${path}\`${from === path ? "" : ` (it was \`${from}\`)`}.`;
}

/** Reads the path of such a sentence; undefined of any other. */
export function readFileLine(text: string): string | undefined {
  return LINE.exec(text)?.[1];
}

import type { Hunk } from "./read-hunks.ts";

/** Result of one hunk. Lines count from 1. */
export interface HunkReport {
  /** Line of the hunk in the patch. */
  readonly line: number;
  /** First line in the file, according to the patch. */
  readonly start: number;
  /** `fits`: nothing is wrong with it, but the patch was not applied because of another. */
  readonly status: "applied" | "fits" | "rejected";
  /** First line where it belongs in the file, when that is not `start`. */
  readonly foundAt?: number;
  /** Of a rejected hunk: the lines it needs, and those that stand there. */
  readonly expected?: readonly string[];
  readonly found?: readonly string[];
}

const MAX_LINES = 40;
const MAX_CHARACTERS = 200;

/** Looks for each hunk's old lines in a file, each after the one before and as near as can be to where they should be. */
export function explainHunks(content: string, hunks: readonly Hunk[]): readonly HunkReport[] {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  let from = 0;
  let offset = 0;
  return hunks.map((hunk): HunkReport => {
    const { line, start, before } = hunk;
    const wanted = Math.max(0, start - 1 + offset);
    const at = before.length === 0 ? Math.min(start + offset, lines.length) : findNear(lines, before, wanted, from);
    if (at === undefined) {
      const found = lines.slice(wanted, wanted + Math.max(1, before.length));
      return {
        line,
        start,
        status: "rejected",
        expected: before.slice(0, MAX_LINES).map(cut),
        found: found.slice(0, MAX_LINES).map(cut),
      };
    }
    from = at + before.length;
    offset = before.length === 0 ? offset : at - (start - 1);
    const foundAt = before.length === 0 ? start : at + 1;
    return { line, start, status: "fits", ...(foundAt !== start && { foundAt }) };
  });
}

function findNear(lines: readonly string[], wanted: readonly string[], near: number, from: number): number | undefined {
  const fits = (at: number) =>
    at >= from && at + wanted.length <= lines.length && wanted.every((line, index) => lines[at + index] === line);
  for (let distance = 0; distance <= lines.length; distance += 1) {
    if (fits(near - distance)) return near - distance;
    if (fits(near + distance)) return near + distance;
  }
  return undefined;
}

function cut(line: string): string {
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS)}...`.toWellFormed();
}

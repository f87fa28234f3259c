import { CairnError } from "../../../errors.ts";

/** One place of a file that a patch changes. Lines are without their line feed. */
export interface Hunk {
  /** Line of the patch where it begins, from 1. */
  readonly line: number;
  /** First old line in the file, from 1; 0 in a file without lines. */
  readonly start: number;
  /** Its lines as they stand in the patch, each with its sign; `\` says that the one before has no line feed. */
  readonly lines: readonly string[];
  /** Lines that the file must have, and those that it will have. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** First new line in the file, from 1. */
  readonly newStart: number;
}

/** The lines of a patch, and how many of them were read. */
export interface PatchLines {
  readonly all: readonly string[];
  at: number;
}

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?$/s;

/** Reads hunks as long as there are any; what their headers say of the number of lines has to be right. */
export function readHunks(lines: PatchLines): readonly Hunk[] {
  const hunks: Hunk[] = [];
  while ((lines.all[lines.at] ?? "").startsWith("@@")) hunks.push(readHunk(lines));
  return hunks;
}

function readHunk(lines: PatchLines): Hunk {
  const line = lines.at + 1;
  const header = HEADER.exec(lines.all[lines.at] ?? "");
  if (header === null) throw refuse(line, "the hunk's header is not of the form `@@ -1,2 +1,2 @@`");
  const [start = 0, oldCount = 0, newStart = 0, newCount = 0] = [
    header[1],
    header[2] ?? 1,
    header[3],
    header[4] ?? 1,
  ].map(Number);
  const taken: string[] = [];
  const [before, after]: [string[], string[]] = [[], []];
  lines.at += 1;
  while (before.length !== oldCount || after.length !== newCount) {
    // Editors and mailers strip the blank from an empty line of context.
    const text = lines.all[lines.at] || (lines.at < lines.all.length ? " " : "");
    const sign = text[0];
    if (sign !== "\\") {
      const isCounted =
        (sign === " " && before.length < oldCount && after.length < newCount) ||
        (sign === "-" && before.length < oldCount) ||
        (sign === "+" && after.length < newCount);
      if (!isCounted) throw miscounted(line, [oldCount, newCount], before.length, after.length);
      if (sign !== "+") before.push(text.slice(1));
      if (sign !== "-") after.push(text.slice(1));
    }
    taken.push(text);
    lines.at += 1;
  }
  if (lines.all[lines.at]?.startsWith("\\") === true) taken.push(lines.all[lines.at++] ?? "");
  const extra = lines.all[lines.at];
  if (extra !== undefined && /^[ +\\-]/.test(extra) && !extra.startsWith("--- ")) {
    throw refuse(lines.at + 1, `the hunk of line ${line} goes on, but its header counts no more lines`);
  }
  if (taken.every((text) => text.startsWith(" "))) throw refuse(line, "the hunk changes nothing");
  return { line, start, newStart, lines: taken, before, after };
}

function miscounted(line: number, counts: readonly [number, number], before: number, after: number): CairnError {
  const header = `its header counts ${counts[0]} old and ${counts[1]} new lines`;
  return refuse(line, `${header}, but what follows it fits only as far as ${before} old and ${after} new ones`);
}

function refuse(line: number, reason: string): CairnError {
  return new CairnError("BAD_REQUEST", `The patch is refused at line ${line}: ${reason}.`, {
    details: { line, reason },
  });
}

import { explainHunks } from "../../../capabilities/workspace/patch/explain-hunks.ts";
import type { Hunk } from "../../../capabilities/workspace/patch/read-hunks.ts";
import { type FilePatch, readPatch } from "../../../capabilities/workspace/patch/read-patch.ts";
import { toFileLine } from "../file-line.ts";
import { refuse } from "../../guard/refuse.ts";
import type { Bench } from "./bench.ts";
import { completeDiff, type Leeway } from "./complete-diff.ts";
import { checkPlanPath } from "./check-plan-path.ts";

/** Applies a unified diff to the files of a plan, all of it or nothing. */
export async function applyDiff(bench: Bench, text: string, leeway: Leeway = {}): Promise<void> {
  const patches = readPatch(await completeDiff(bench, text.endsWith("\n") ? text : `${text}\n`, leeway));
  for (const patch of patches) for (const path of [patch.path, patch.from]) if (path !== undefined) checkPlanPath(path);
  for (const patch of patches) await applyOne(bench, patch);
}

async function applyOne(bench: Bench, { change, path, from, executable, hunks }: FilePatch): Promise<void> {
  if (executable === true)
    throw refuse(`\`${path}\` would become executable, which files of a version never are.`, ACCEPTED);
  const old = from === undefined ? "" : await bench.read(from);
  if (old === undefined)
    throw refuse(`The diff changes \`${from ?? path}\`, and there is no such file of text.`, ACCEPTED);
  if (from !== path && (await bench.read(path)) !== undefined) {
    throw refuse(`The diff makes a file \`${path}\`, and there is one already.`, ACCEPTED);
  }
  const text = applyHunks(old, hunks, path);
  if (change === "deleted" && text !== "")
    throw refuse(`The diff deletes \`${path}\`, but leaves lines of it.`, ACCEPTED);
  if (from !== undefined && from !== path) await bench.write(from, null);
  await bench.write(path, change === "deleted" ? null : text);
  bench.say(toFileLine(change, path, from));
}

const ACCEPTED = "Send a unified diff made against the version that is asked: `git diff v<version>`.";

function applyHunks(old: string, hunks: readonly Hunk[], path: string): string {
  const lines = old.split("\n");
  const endsWithBreak = lines.at(-1) === "";
  if (endsWithBreak) lines.pop();
  let hasBreak = endsWithBreak || old === "";
  const reports = explainHunks(old, hunks);
  // From the last to the first, so that places stay what they are.
  for (const [at, hunk] of [...hunks.entries()].toReversed()) {
    const report = reports[at];
    if (report === undefined || report.status === "rejected") {
      const expected = report?.expected?.[0] ?? "";
      throw refuse(
        `The diff does not fit \`${path}\`: at line ${hunk.start} it expects \`${expected.slice(0, 100)}\`.`,
        ACCEPTED,
      );
    }
    const start = report.foundAt ?? hunk.start;
    if (report.foundAt !== undefined && countPlaces(lines, hunk.before) > 1) {
      throw refuse(
        `The lines that the diff changes at line ${hunk.start} of \`${path}\` stand in several other places.`,
        ACCEPTED,
      );
    }
    const first = hunk.before.length === 0 ? start : start - 1;
    if (first + hunk.before.length === lines.length) hasBreak = endsInBreak(hunk, hasBreak);
    lines.splice(first, hunk.before.length, ...hunk.after);
  }
  return lines.length === 0 ? "" : lines.join("\n") + (hasBreak ? "\n" : "");
}

/** Returns the meaning of the sign for a missing line break at the end, if it is there. */
function endsInBreak({ lines }: Hunk, before: boolean): boolean {
  const signs = lines.flatMap((line, at) => (line.startsWith("\\") ? [lines[at - 1]?.[0] ?? " "] : []));
  if (signs.length === 0) return before;
  return !signs.some((sign) => sign !== "-");
}

function countPlaces(lines: readonly string[], wanted: readonly string[]): number {
  let count = 0;
  for (let at = 0; at + wanted.length <= lines.length; at += 1) {
    if (wanted.every((line, index) => lines[at + index] === line)) count += 1;
  }
  return count;
}

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CairnError } from "../errors.ts";
import { loadText } from "./load-text.ts";
import { saveText } from "./save-text.ts";

/** Fate of a file in an import. */
export type FileOutcome =
  /** Written, as nobody had edited it. */
  | "added"
  | "changed"
  | "removed"
  /** Edits and changes of the document are both in it now. */
  | "merged"
  /** Edits and changes of the document touch the same lines, which are marked as git marks them. */
  | "conflict"
  /** Left as it is: edited or made by hand where the import brings nothing new, or brings less. */
  | "kept"
  /** Not written again, because somebody has deleted it. */
  | "deleted"
  | "same";

/** A file before the import, as its last run wrote it, as it is on disk, and as the document has it now. */
interface Sides {
  readonly base: string | undefined;
  readonly mine: string | undefined;
  readonly next: string | undefined;
}

export interface MergeOptions {
  /** Files as the last import wrote them, and as this one does. */
  readonly base: ReadonlyMap<string, string>;
  readonly next: ReadonlyMap<string, string>;
  /** True if an edited file is kept as a whole, because parts of two would not fit together. */
  readonly isWhole?: boolean;
}

/** Brings the files of an import into a folder. Edits that people made since its last run stay. Returns each file's fate, by path. */
export async function mergeFiles(
  folder: string,
  { base, next, isWhole = false }: MergeOptions,
): Promise<ReadonlyMap<string, FileOutcome>> {
  const outcomes = new Map<string, FileOutcome>();
  for (const path of new Set([...base.keys(), ...next.keys()])) {
    const mine = await loadText(join(folder, path));
    const sides = { base: withVersionOf(mine, base.get(path)), mine, next: withVersionOf(mine, next.get(path)) };
    const { outcome, text } = await mergeFile(sides, isWhole);
    outcomes.set(path, outcome);
    if (outcome === "removed" || (text !== undefined && text !== mine)) await saveText(join(folder, path), text);
  }
  return outcomes;
}

/** A line of a manifest that says the version of its tool. */
const VERSION = /^version: .*$/m;

/** Gives a text the version that a file has: releases raise it in the file, and an import never does. */
function withVersionOf(mine: string | undefined, text: string | undefined): string | undefined {
  const [line] = VERSION.exec(mine ?? "") ?? [];
  return line === undefined ? text : text?.replace(VERSION, () => line);
}

async function mergeFile(
  { base, mine, next }: Sides,
  isWhole: boolean,
): Promise<{ readonly outcome: FileOutcome; readonly text?: string }> {
  if (mine === next) return { outcome: "same" };
  if (mine === undefined)
    return base === undefined && next !== undefined ? { outcome: "added", text: next } : { outcome: "deleted" };
  if (next === undefined) return { outcome: mine === base ? "removed" : "kept" };
  if (mine === base) return { outcome: "changed", text: next };
  if (base === undefined || base === next || isWhole) return { outcome: "kept" };
  const merged = await mergeThree(mine, base, next);
  return { outcome: merged.conflicts ? "conflict" : "merged", text: merged.text };
}

/** Most conflicts that git counts; above it is an error. */
const MAX_CONFLICTS = 127;
const MAX_BYTES = 16 * 1024 * 1024;

/** Merges two descendants of a text line by line, as git does. */
async function mergeThree(
  mine: string,
  base: string,
  next: string,
): Promise<{ readonly text: string; readonly conflicts: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-merge-"));
  try {
    const files = await Promise.all(
      [mine, base, next].map(async (text, index) => {
        const file = join(folder, String(index));
        await writeFile(file, text);
        return file;
      }),
    );
    const labels = ["yours", "last import", "document"].flatMap((label) => ["-L", label]);
    const { code, stdout } = await runGit(["merge-file", "-p", ...labels, ...files]);
    if (code > MAX_CONFLICTS)
      throw new CairnError("UNAVAILABLE", "git could not merge two versions of a file; is it installed?");
    return { text: stdout, conflicts: code > 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runGit(args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  return new Promise((resolve) => {
    execFile("git", args, { maxBuffer: MAX_BYTES }, (error, stdout) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : MAX_CONFLICTS + 1;
      resolve({ code, stdout });
    });
  });
}

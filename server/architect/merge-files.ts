import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Git } from "../versions/git/git.ts";

/** Which says what labels stand for now, whichever version one looks from. */
export const HISTORY_FILE = "versions.yaml";

/** Files by path; `null` deletes. */
export type FileChanges = ReadonlyMap<string, string | null>;

export interface Merged {
  /** What is still to be changed; what the base has already is left out. */
  readonly files: FileChanges;
  /** Paths of which the base has made something else. */
  readonly conflicts: readonly string[];
}

type ReadText = (path: string) => Promise<string | undefined>;

/**
 * Changes of files of `original` as changes of `base`, which may have changed them as well: text by text as git merges,
 * so that what either side did stays. A file that one side took away and the other changed is a conflict.
 */
export async function mergeFiles(git: Git, changes: FileChanges, original: ReadText, base: ReadText): Promise<Merged> {
  const files = new Map<string, string | null>();
  const conflicts: string[] = [];
  for (const [path, wanted] of changes) {
    const [before, now] = [(await original(path)) ?? null, (await base(path)) ?? null];
    if (now === wanted) continue;
    if (now === before) files.set(path, wanted);
    else if (now === null || wanted === null || before === null) conflicts.push(path);
    else {
      const merged = await mergeTexts(git, { ours: now, before, theirs: wanted });
      if (merged === undefined) conflicts.push(path);
      else if (merged !== now) files.set(path, merged);
    }
  }
  return { files, conflicts };
}

/** Undefined when both changed the same lines. */
async function mergeTexts(
  git: Git,
  texts: { readonly ours: string; readonly before: string; readonly theirs: string },
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-merge-"));
  try {
    const paths = await Promise.all(
      Object.entries(texts).map(async ([name, text]) => {
        await writeFile(join(folder, name), text);
        return join(folder, name);
      }),
    );
    // Fails with the number of conflicts.
    return await git.run(["merge-file", "-p", "--quiet", "--", ...paths]).catch(() => undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

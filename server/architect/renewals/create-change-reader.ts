import type { ChangeReader } from "../../imports/drift/settle-change.ts";
import type { Git } from "../../versions/git/git.ts";
import { bringsOnlyBase } from "../pipeline/repository.ts";

export interface ChangeReaderOptions {
  readonly git: Git;
  /** A bare repository. */
  readonly gitDir: string;
}

const MERGES_LOOKED_AT = 20;

/** Creates the reader of changes in a bare copy, which has their commits. */
export function createChangeReader({ git, gitDir }: ChangeReaderOptions): ChangeReader {
  const run = (...args: readonly string[]) => git.run([`--git-dir=${gitDir}`, ...args]);
  const toRef = (base: string) => `refs/heads/${base}`;
  return {
    has: (commit) =>
      run("cat-file", "-e", `${commit}^{commit}`).then(
        () => true,
        () => false,
      ),
    async loadOwn(head, base) {
      let commit = head;
      for (let look = 0; look < MERGES_LOOKED_AT; look++) {
        const [was] = (await run("show", "--no-patch", "--format=%P", commit)).trim().split(" ").slice(0, 1);
        const isMerge =
          was !== undefined && (await bringsOnlyBase({ git, gitDir }, { head: commit, was, base: toRef(base) }));
        if (!isMerge || (await isOwn(commit))) break;
        commit = was;
      }
      return { commit, message: await run("show", "--no-patch", "--format=%B", commit) };
    },
    // Nothing is printed where all of it is there.
    isIn: (commit, other) =>
      run("rev-list", "--max-count=1", commit, `^${other}`).then(
        (printed) => printed === "",
        () => false,
      ),
    async loadFiles(commit, base) {
      const from = (await run("merge-base", commit, toRef(base))).trim();
      const diff = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", from, commit];
      const fields = (await run(...diff)).split("\0");
      const files = new Map<string, string | null>();
      for (let at = 0; at + 1 < fields.length; at += 2) {
        const path = fields[at + 1] ?? "";
        files.set(path, fields[at] === "D" ? null : await run("cat-file", "blob", `${commit}:${path}`));
      }
      return files;
    },
  };

  /** Says whether a commit has trailers of its own, as merges of the base by a button have none. */
  async function isOwn(commit: string): Promise<boolean> {
    return (await run("show", "--no-patch", "--format=%B", commit)).includes("\nCairn-");
  }
}

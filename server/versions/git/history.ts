/** Runs git on a repository and gives what it prints. */
export type RunGit = (args: readonly string[]) => Promise<string>;

/** Checks that one commit of a repository is in the history of another. */
export async function isAncestor(run: RunGit, older: string, newer: string): Promise<boolean> {
  // Prints the older one unless the newer one leads to it.
  return (await run(["rev-list", "--max-count=1", older, "--not", newer])).trim() === "";
}

export interface DatedCommit {
  readonly commit: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The last commits of a branch itself, not of what was merged into it, that changed something at a path; newest first. */
export async function listChanges(
  run: RunGit,
  tip: string,
  path: string,
  max: number,
): Promise<readonly DatedCommit[]> {
  const listed = await run(["log", "--first-parent", `--max-count=${max}`, "--format=%H %ct", tip, "--", path]);
  return listed.split("\n").flatMap((line) => {
    const [commit = "", seconds] = line.split(" ");
    return commit === "" ? [] : [{ commit, at: Number(seconds) * 1000 }];
  });
}

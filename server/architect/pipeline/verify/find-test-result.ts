import { loadTestResults, type TestResult } from "../../../examples/test-results.ts";
import type { Store } from "../../../store/store.ts";
import type { Git } from "../../../versions/git/git.ts";
import { VERSION_PATHS } from "../../../versions/tree.ts";

/** Finds the examples' results of a commit; undefined where unknown. */
export type FindTestResult = (commit: string) => Promise<TestResult | undefined>;

/** Commits that are looked back at. */
const LOOKBACK = 50;

/**
 * Finds the result that is kept of a commit, or of the last one before it of which there is one, where no file has changed
 * since that a version is made of: a commit of pages alone is as good as the one below it.
 */
export function createFindTestResult(options: {
  readonly git: Git;
  readonly gitDir: string;
  readonly store: Pick<Store, "getMany">;
}): FindTestResult {
  const { git, gitDir, store } = options;
  const run = async (...args: readonly string[]) => (await git.run([`--git-dir=${gitDir}`, ...args])).trim();
  return async (commit) => {
    const own = (await loadTestResults(store, [commit])).get(commit);
    if (own !== undefined) return own;
    const listed = await run("rev-list", "--first-parent", `--max-count=${LOOKBACK}`, commit);
    const commits = listed.split("\n");
    const results = await loadTestResults(store, commits);
    const last = commits.find((one) => results.has(one));
    if (last === undefined) return undefined;
    const changed = await run("diff-tree", "-r", "--name-only", "--no-renames", last, commit, "--", ...VERSION_PATHS);
    return changed === "" ? results.get(last) : undefined;
  };
}

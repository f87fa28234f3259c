import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Git, SERVE_LOCALLY } from "../versions/git/git.ts";
import { RUN_REFS } from "../versions/mirror/refs.ts";

/** A large repository on a slow disk. */
const COPY_MS = 6 * 60 * 60_000;
/** Of a bare repository's folder: what git's own transport copies, and what is there for a moment only. */
const NOT_AS_FILES = /^(?:objects|refs|packed-refs|shallow|worktrees|FETCH_HEAD|gc\.\w+|.*\.lock)$/;

export interface RepositoryCopy {
  /** True if the copy does not exist yet. */
  readonly isNew?: boolean;
  /** True if commits of runs stay in a copy whose origin has lost them. */
  readonly keepsRuns?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes `to` what the bare repository `from` is at this moment, or brings it up to date. Git's transport reads all refs at
 * once and copies what they lead to whole, whoever pushes or tidies up meanwhile.
 */
export async function copyRepository(
  git: Git,
  from: string,
  to: string,
  { isNew = false, keepsRuns = false, signal }: RepositoryCopy,
): Promise<void> {
  const run = (args: readonly string[]) => git.run(args, { timeoutMs: COPY_MS, signal });
  if (isNew) {
    const format = (await run([`--git-dir=${from}`, "rev-parse", "--show-object-format"])).trim();
    await run(["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, "--", to]);
  }
  // HEAD, configuration, hooks, reflogs, and whatever else people have put there.
  for (const name of await readdir(from)) {
    if (!NOT_AS_FILES.test(name)) await cp(join(from, name), join(to, name), { recursive: true, force: true });
  }
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--update-shallow"];
  const fetch = [`--git-dir=${to}`, "-c", "fetch.unpackLimit=1", "fetch", ...quiet, "--update-head-ok", SERVE_LOCALLY];
  const exact = [...fetch, "--force", "--prune", "--", from, "+refs/*:refs/*"];
  if (keepsRuns) {
    await run([...exact, `^${RUN_REFS}*`]);
    await run([...fetch, "--", from, `+${RUN_REFS}*:${RUN_REFS}*`]);
  } else await run(exact);
  await run([`--git-dir=${to}`, "pack-refs", "--all"]);
}

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Git } from "./git.ts";

const PATHS = ["versions.yaml", "manifests", "tools", "schemas"];

/** Fixed identity, so that equal files give an equal commit on every machine at any time. */
const IDENTITY = {
  GIT_AUTHOR_NAME: "Cairn",
  GIT_AUTHOR_EMAIL: "cairn@localhost",
  GIT_AUTHOR_DATE: "1000000000 +0000",
  GIT_COMMITTER_NAME: "Cairn",
  GIT_COMMITTER_EMAIL: "cairn@localhost",
  GIT_COMMITTER_DATE: "1000000000 +0000",
};

/**
 * The uncommitted files of a checkout that a version is made of, as a commit of the mirror; ignored files are left out.
 * Git works with the mirror and an index of its own, so nothing of the checkout's repository is read or written.
 */
export async function takeSnapshot(options: {
  readonly git: Git;
  readonly checkout: string;
  readonly mirror: string;
}): Promise<string> {
  const { git, checkout, mirror } = options;
  const folder = await mkdtemp(join(tmpdir(), "cairn-snapshot-"));
  try {
    const environment = {
      GIT_DIR: mirror,
      GIT_WORK_TREE: checkout,
      GIT_INDEX_FILE: join(folder, "index"),
      ...IDENTITY,
    };
    const own = async (args: readonly string[]) => (await git.run(["-C", checkout, ...args], { environment })).trim();
    const there = await Promise.all(PATHS.map((path) => stat(join(checkout, path)).catch(() => undefined)));
    const paths = PATHS.filter((_, at) => there[at] !== undefined);
    if (paths.length > 0) await own(["add", "--all", "--", ...paths]);
    return await own(["commit-tree", "-m", "Work tree", await own(["write-tree"])]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

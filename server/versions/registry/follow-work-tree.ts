import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coalesce } from "./coalesce.ts";
import type { Git } from "../git/git.ts";
import type { Registry } from "./registry-types.ts";
import type { Loaded, Version } from "../version.ts";
import { watchFolders } from "../mirror/watch-folders.ts";

/** Editors write in several steps. */
const DEBOUNCE_MS = 60;

/** Keeps `dev` at what the files of a checkout are now, as long as they can be served. */
export interface WorkTree {
  /** Takes the files as they are now; `undefined` when they are as they were. */
  update(): Promise<Loaded | undefined>;
  close(): Promise<void>;
}

export async function followWorkTree(options: {
  readonly git: Git;
  readonly checkout: string;
  readonly registry: Pick<Registry, "mirror" | "offerDev">;
  readonly onError: (error: unknown) => void;
  /** Hears of each state of the files that can be served. */
  readonly onWorkTree?: (version: Version) => Promise<void>;
}): Promise<WorkTree> {
  const { git, checkout, registry, onError, onWorkTree } = options;
  let last: string | undefined;

  const coalesced = coalesce<Loaded | undefined>(
    async () => {
      const commit = await takeSnapshot({ git, checkout, mirror: registry.mirror });
      if (commit === last) return undefined;
      const loaded = await registry.offerDev(commit);
      last = commit;
      if (loaded.ok) await onWorkTree?.(loaded.version);
      return loaded;
    },
    { debounceMs: DEBOUNCE_MS, onError },
  );
  const stop = watchFolders(checkout, /^(?:versions\.yaml|manifests|tools|schemas|\.gitignore)$/, coalesced.trigger);
  await coalesced.run();
  return Object.freeze({
    update: coalesced.run,
    close: async () => {
      stop();
      await coalesced.close();
    },
  });
}

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

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../git/git.ts";
import { watchFolders } from "./watch-folders.ts";

/** Share of the interval by which polls are spread, so that many services do not ask one host at the same moment. */
const JITTER = 0.2;

/**
 * Calls `trigger` when the upstream may have changed: at once where it is a folder on this machine, else every
 * `intervalMs` or so. Returns "stop".
 */
export function followUpstream(options: {
  readonly git: Git;
  /** A folder to watch. */
  readonly path?: string | undefined;
  readonly intervalMs: number;
  readonly random: () => number;
  readonly trigger: () => void;
}): () => void {
  const { git, path, intervalMs, random, trigger } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let stopWatching: (() => void) | undefined;
  let watched = "";

  /** Watches the folders where refs live, again when they were made anew. */
  async function attach(repository: string): Promise<void> {
    const args = ["-C", repository, "rev-parse", "--path-format=absolute", "--git-common-dir"];
    const gitDir = (await git.run(args).catch(() => "")).trim();
    const inode = gitDir === "" ? undefined : await stat(join(gitDir, "refs")).catch(() => undefined);
    const found = inode === undefined ? "" : `${gitDir}:${inode.ino}`;
    if (stopped || found === watched) return;
    stopWatching?.();
    watched = found;
    // Deleting a packed tag touches `packed-refs` alone, and newer repositories keep all refs in `reftable`.
    const wanted = /^(?:packed-refs|HEAD|refs|reftable)$/;
    stopWatching = found === "" ? undefined : watchFolders(gitDir, wanted, trigger);
    // What happened before the watch began was not seen.
    trigger();
  }

  function tick(): void {
    if (path !== undefined) void attach(path);
    trigger();
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(tick, intervalMs * (1 - JITTER / 2 + JITTER * random()));
  }

  if (path !== undefined) void attach(path);
  schedule();
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopWatching?.();
  };
}

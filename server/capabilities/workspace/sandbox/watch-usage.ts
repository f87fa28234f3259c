import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandLimits } from "../limits.ts";
import { measureTree } from "../tree-usage.ts";
import { measureMemory } from "./process-tree.ts";

/** Limits that the kernel does not keep for a group of processes by itself. */
export type UsageLimit = "memory" | "workspace" | "disk";

const INTERVAL_MS = 200;
/** The workspace is walked less often the longer a walk takes. */
const WALK_SHARE = 10;
/** Bytes and files of the disk that are left to the service. */
const DISK_RESERVE = { bytes: 512 * 1024 * 1024, files: 10_000 } as const;

/** Checks that the disk has too little room for commands to write on it. */
export async function isDiskFull(path: string): Promise<boolean> {
  return isFull(await statfs(path));
}

/** Looks at what a command takes until it has taken too much, or `signal` ends it. */
export async function watchUsage(options: {
  readonly pid: number;
  readonly tree: string;
  readonly limits: CommandLimits;
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}): Promise<UsageLimit | undefined> {
  const { pid, tree, limits, signal, now = () => performance.now() } = options;
  let walkAt = now() + INTERVAL_MS;
  let counted = await countFiles(tree, limits);
  while (!signal.aborted) {
    if ((await measureMemory(pid)) > limits.memoryBytes) return "memory";
    const disk = await statfs(tree);
    if (isFull(disk)) return "disk";
    // The disk says at once that so many files are new, though not whose they are: a walk, when it is due, finds thrice as many.
    if (counted.files + counted.free - disk.ffree > limits.workspaceFiles) {
      counted = await countFiles(tree, limits);
      if (counted.files > limits.workspaceFiles) return "workspace";
    }
    const began = now();
    if (began >= walkAt) {
      if (await isOverfull(tree, limits)) return "workspace";
      walkAt = now() + (now() - began) * WALK_SHARE;
    }
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Counts the files of a tree, with the number that its disk could still take just before. */
async function countFiles(tree: string, { workspaceFiles }: CommandLimits) {
  const { ffree: free } = await statfs(tree);
  return { free, files: (await measureTree(tree, { files: workspaceFiles })).files };
}

function isFull({ bavail, bsize, ffree, files }: StatsFs): boolean {
  // Some file systems count no files.
  return bavail * bsize < DISK_RESERVE.bytes || (files > 0 && ffree < DISK_RESERVE.files);
}

export async function isOverfull(tree: string, limits: CommandLimits): Promise<boolean> {
  return (await measureTree(tree, { files: limits.workspaceFiles, bytes: limits.workspaceBytes })).isOver;
}

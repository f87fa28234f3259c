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

/** Whether the disk has too little left for commands to write on it. */
export async function isDiskFull(path: string): Promise<boolean> {
  const { bavail, bsize, ffree, files } = await statfs(path);
  // Some file systems count no files.
  return bavail * bsize < DISK_RESERVE.bytes || (files > 0 && ffree < DISK_RESERVE.files);
}

/** Looks at what a command takes until it has taken too much, or `signal` ends it. */
export async function watchUsage(options: {
  readonly pid: number;
  readonly tree: string;
  readonly limits: CommandLimits;
  readonly signal: AbortSignal;
}): Promise<UsageLimit | undefined> {
  const { pid, tree, limits, signal } = options;
  let walkAt = performance.now() + INTERVAL_MS;
  while (!signal.aborted) {
    if ((await measureMemory(pid)) > limits.memoryBytes) return "memory";
    if (await isDiskFull(tree)) return "disk";
    const now = performance.now();
    if (now >= walkAt) {
      if (await isOverfull(tree, limits)) return "workspace";
      walkAt = performance.now() + (performance.now() - now) * WALK_SHARE;
    }
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

export async function isOverfull(tree: string, limits: CommandLimits): Promise<boolean> {
  return (await measureTree(tree, { files: limits.workspaceFiles, bytes: limits.workspaceBytes })).isOver;
}

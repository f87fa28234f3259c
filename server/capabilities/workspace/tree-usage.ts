import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Usage of a folder. */
export interface TreeUsage {
  readonly files: number;
  /** Of each file what it takes on the disk, or what it says its length is, if that is more: holes cost whoever reads them. 0 when no limit was given. */
  readonly bytes: number;
  /** Paths of what is neither file, folder nor symlink, and of folders that cannot be read. */
  readonly special: readonly string[];
  /** Paths of what git itself would open: its settings that are no regular files. */
  readonly traps: readonly string[];
  /** True if there is more than was counted. */
  readonly isOver: boolean;
}

const BLOCK = 512;
const MAX_SPECIAL = 100;

/** Counts until a limit is passed. Symlinks are counted, not followed. Without a limit of bytes only names are read, which is much faster. */
export async function measureTree(
  root: string,
  limits: { readonly files: number; readonly bytes?: number },
): Promise<TreeUsage> {
  const [special, traps]: [string[], string[]] = [[], []];
  let [files, bytes] = [0, 0];
  const folders = [""];
  const { bytes: maxBytes } = limits;
  const isOver = () => files > limits.files || bytes > (maxBytes ?? Infinity) || special.length > MAX_SPECIAL;
  for (let folder = folders.pop(); folder !== undefined && !isOver(); folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) special.push(folder);
    for (const entry of entries ?? []) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      files += 1;
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile() && !entry.isSymbolicLink()) special.push(path);
      if (isTrap(entry)) traps.push(path);
      if (maxBytes !== undefined) bytes += await measureFile(join(root, path));
      if (isOver()) break;
    }
  }
  return { files, bytes, special, traps, isOver: isOver() };
}

async function measureFile(path: string): Promise<number> {
  const stats = await lstat(path).catch(() => undefined);
  return stats === undefined ? 0 : Math.max(stats.blocks * BLOCK, stats.size);
}

/** Git waits for ever for somebody to write into a pipe that it takes for its settings. */
function isTrap(entry: Dirent): boolean {
  return /^\.git(?:ignore|attributes|modules)$/.test(entry.name) && !entry.isFile();
}

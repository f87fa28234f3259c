import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** One watch of the operating system is spent on each folder; trees with more are left to whoever polls. */
const MAX_FOLDERS = 2_000;

/**
 * Calls `onChange` when an item of `root` that is called `wanted`, or something below it, changes. That is a hint: it may
 * come late, twice, or not at all. Only folders are watched, not each file in them as Node's own recursive watch does,
 * and symlinks are not followed. Returns "stop".
 */
export function watchFolders(root: string, wanted: RegExp, onChange: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  const isWanted = (folder: string, name: string) => folder !== root || wanted.test(name);

  function add(folder: string): void {
    if (watchers.has(folder) || watchers.size >= MAX_FOLDERS) return;
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        if (name !== null && !isWanted(folder, name)) return;
        onChange();
        if (name !== null && event === "rename") follow(join(folder, name));
      });
      watcher.on("error", () => remove(folder));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory() && isWanted(folder, entry.name)) add(join(folder, entry.name));
      }
    } catch {
      // The folder is gone, or the system has no watches left: either way a hint that never comes.
      remove(folder);
    }
  }

  function follow(path: string): void {
    const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder) add(path);
    else remove(path);
  }

  function remove(path: string): void {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(`${path}/`)) continue;
      watcher.close();
      watchers.delete(watched);
    }
  }

  add(root);
  return () => remove(root);
}

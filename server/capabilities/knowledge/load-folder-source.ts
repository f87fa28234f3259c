import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "../../versions/git/git.ts";
import type { FileSource } from "./load-texts.ts";

/**
 * The files of a working folder of git as they are now: those it tracks and new ones, without what is ignored. Nothing
 * is read through a symbolic link, which would let a workspace show what lies outside it.
 */
export async function loadFolderSource(folder: string, git: Git): Promise<FileSource> {
  const listed = await git.run(["-C", folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  const root = await realpath(folder);
  return { paths: [...new Set(listed.split("\0").filter((path) => path !== ""))].sort(), read };

  async function read(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const full = join(root, path);
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      // A folder on the way may have become a link since git listed it: what was opened must be what is inside.
      const inside = (await realpath(full).catch(() => "")) === full ? await lstat(full) : undefined;
      return inside?.ino === stats.ino && inside.dev === stats.dev ? await file.readFile() : undefined;
    } finally {
      await file.close();
    }
  }
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readFile, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { TreeEntry } from "../tree.ts";
import {
  MAX_TREE_ENTRIES,
  type ReadFolder,
  type TreeItem,
  type TreeResult,
  isSafeName,
  walkTree,
} from "./tree-walk.ts";

/** The tree of a plain folder as it is now, with the object ids that git would give; symlinks are never followed. */
export async function loadDirectoryTree(folder: string): Promise<TreeResult> {
  // A symlink and a file can have the same id.
  const paths = new Map<string, string>();

  const readFolder: ReadFolder = async (path, wanted = () => true) => {
    const names = (await readdir(path)).filter(wanted);
    if (names.length > MAX_TREE_ENTRIES) return "has too many files";
    const items: TreeItem[] = [];
    for (const name of names) {
      if (!isSafeName(name)) return `has an entry with the unusable name ${JSON.stringify(name)}`;
      const full = join(path, name);
      const stats = await lstat(full);
      if (stats.isDirectory()) items.push({ name, oid: full, kind: "folder" });
      else if (stats.isSymbolicLink())
        items.push({ name, oid: blobId(await readlink(full, "buffer")), kind: "symlink" });
      else if (stats.isFile()) items.push({ name, oid: await fileId(full, stats.size), kind: "file" });
      // Sockets, pipes and devices could block whoever opens them.
      else return `has an entry ${JSON.stringify(name)} that is not a file`;
    }
    for (const item of items) if (item.kind !== "folder") paths.set(`${item.kind} ${item.oid}`, join(path, item.name));
    return items;
  };

  const read = async (entry: TreeEntry, maxBytes: number): Promise<Uint8Array | undefined> => {
    const path = paths.get(`${entry.kind} ${entry.oid}`);
    if (path === undefined) throw new CairnError("INTERNAL_ERROR", `\`${folder}\` has no file \`${entry.oid}\`.`);
    if (entry.kind === "symlink") return readlink(path, "buffer");
    if ((await lstat(path)).size > maxBytes) return undefined;
    const bytes = await readFile(path);
    if (blobId(bytes) !== entry.oid) throw new CairnError("CONFLICT", `\`${path}\` changed while it was read.`);
    return bytes;
  };

  if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) {
    throw new CairnError("NOT_FOUND", `\`${folder}\` is not a folder.`);
  }
  const { entries, fragments, strays, problems } = await walkTree(folder, readFolder);
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, tree: Object.freeze({ label: folder, entries, fragments, strays, read }) };
}

function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

async function fileId(path: string, size: number): Promise<string> {
  const hash = createHash("sha1").update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

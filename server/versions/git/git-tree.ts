import { LRUCache } from "lru-cache";
import { CairnError } from "../../errors.ts";
import type { TreeEntry } from "../tree.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type ReadFolder, type TreeItem, type TreeResult, walkTree, isSafeName } from "./tree-walk.ts";

const MAX_TREE_OBJECT_BYTES = 1024 * 1024;
/** Parsed folders and the bytes of files are kept by object id, whichever versions they belong to. */
const MAX_CACHED_ITEMS = 100_000;
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
const MAX_CACHED_FILE_BYTES = 256 * 1024;
/** Cost of a cached file beyond its bytes. */
const FILE_OVERHEAD = 200;

/** Turns commits into trees; what several commits share is read and parsed once. */
export function createGitTrees(reader: ObjectReader): (commit: string) => Promise<TreeResult> {
  const folders = new LRUCache<string, readonly TreeItem[]>({
    maxSize: MAX_CACHED_ITEMS,
    sizeCalculation: (items) => items.length + 1,
  });
  const files = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHED_BYTES,
    maxEntrySize: MAX_CACHED_FILE_BYTES,
    sizeCalculation: (bytes) => bytes.length + FILE_OVERHEAD,
  });

  const readFolder: ReadFolder = async (oid, wanted) => {
    const known = wanted === undefined ? folders.get(oid) : undefined;
    if (known !== undefined) return known;
    const bytes = await reader.read(oid, MAX_TREE_OBJECT_BYTES);
    const items = bytes === undefined ? "is too large to be read" : readTreeObject(bytes, oid.length / 2, wanted);
    if (wanted === undefined && typeof items !== "string") folders.set(oid, items);
    return items;
  };

  const read = async (entry: TreeEntry, maxBytes: number): Promise<Uint8Array | undefined> => {
    const bytes = files.get(entry.oid) ?? (await reader.read(entry.oid, maxBytes));
    if (bytes === undefined || bytes.length > maxBytes) return undefined;
    files.set(entry.oid, bytes);
    return bytes;
  };

  return async (commit) => {
    const top = await reader.info(`${commit}^{tree}`);
    if (top === undefined) throw new CairnError("INTERNAL_ERROR", `The repository lacks the commit \`${commit}\`.`);
    const { entries, fragments, strays, problems } = await walkTree(top.oid, readFolder);
    if (problems.length > 0) return { ok: false, problems };
    return { ok: true, tree: Object.freeze({ label: commit.slice(0, 12), entries, fragments, strays, read }) };
  };
}

const KINDS: Readonly<Record<string, TreeItem["kind"]>> = {
  "40000": "folder",
  "100644": "file",
  "100755": "file",
  "100664": "file",
  "120000": "symlink",
  "160000": "submodule",
};

/** Reads the items called `wanted` from the bytes of a git tree object; a string says what is wrong with one of them. */
export function readTreeObject(
  bytes: Buffer,
  oidBytes: number,
  wanted: (name: string) => boolean = () => true,
): readonly TreeItem[] | string {
  const items: TreeItem[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0x00, at);
    const end = nul + 1 + oidBytes;
    if (space < 0 || nul < space || end > bytes.length) return "is not a well-formed git tree";
    const mode = bytes.toString("latin1", at, space);
    const raw = bytes.subarray(space + 1, nul);
    const name = raw.toString("utf8");
    at = end;
    if (!wanted(name)) continue;
    const kind = KINDS[mode];
    if (kind === undefined) return `has an entry ${JSON.stringify(name)} of the unknown mode \`${mode}\``;
    if (!isSafeName(name)) {
      return `has an entry with the unusable name ${JSON.stringify(raw.toString("latin1"))}`;
    }
    if (seen.has(name)) return `has two entries named \`${name}\``;
    seen.add(name);
    items.push({ name, oid: bytes.toString("hex", nul + 1, end), kind });
  }
  return items;
}

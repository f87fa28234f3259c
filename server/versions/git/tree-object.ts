import { type TreeItem, isSafeName } from "./tree-walk.ts";

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

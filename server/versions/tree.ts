export interface TreeEntry {
  /** Git's object id of the content, also where the tree is a plain directory: equal ids mean equal bytes. */
  readonly oid: string;
  readonly kind: "file" | "symlink" | "submodule";
}

/** The files of one commit or directory, limited to what a version is made of, sorted by path. */
export interface Tree {
  /** Name of this tree in error messages: a short commit id or a folder. */
  readonly label: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Files of the folder `changes`, by path, which are no part of a version: what the next release is to say. */
  readonly fragments?: ReadonlyMap<string, TreeEntry>;
  /** Names of all else in that folder, sorted. */
  readonly strays?: readonly string[];
  /** The bytes of one entry; larger than `maxBytes` is `undefined`, and is not read. */
  read(entry: TreeEntry, maxBytes: number): Promise<Uint8Array | undefined>;
}

/** The file and the folders that a version is made of: everything else in a repository is none of Cairn's business. */
export const VERSION_PATHS: readonly string[] = ["versions.yaml", "manifests", "tools", "schemas"];

/** Folder with a file for each change since the last release. */
export const FRAGMENT_FOLDER = "changes";

/** Checks that `path` lies in the folder of change fragments. */
export function isFragmentPath(path: string): boolean {
  return path.startsWith(`${FRAGMENT_FOLDER}/`);
}

/** Checks that `path` is part of a version. */
export function isPartOfVersion(path: string): boolean {
  return path === "versions.yaml" || /^(?:manifests|tools|schemas)\//.test(path);
}

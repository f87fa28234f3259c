import type { Problem } from "../problem.ts";
import { FRAGMENT_FOLDER, type Tree, type TreeEntry, VERSION_PATHS } from "../tree.ts";

export interface TreeItem {
  readonly name: string;
  /** Of a folder: whatever its reader finds it by. */
  readonly oid: string;
  readonly kind: TreeEntry["kind"] | "folder";
}

/** The items of one folder that are `wanted`, or what is wrong with it. */
export type ReadFolder = (oid: string, wanted?: (name: string) => boolean) => Promise<readonly TreeItem[] | string>;

export type TreeResult =
  { readonly ok: true; readonly tree: Tree } | { readonly ok: false; readonly problems: readonly Problem[] };

/** Files and folders of one version, together. */
export const MAX_TREE_ENTRIES = 5_000;
export const MAX_TREE_DEPTH = 16;

const TOP: ReadonlySet<string> = new Set([...VERSION_PATHS, FRAGMENT_FOLDER]);

export interface Walked {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly fragments: ReadonlyMap<string, TreeEntry>;
  /** Names in the folder of fragments that are not read. */
  readonly strays: readonly string[];
  readonly problems: readonly Problem[];
}

/** Collects what a version is made of below `top`, and change fragments beside it; beyond the limits nothing more is read. */
export async function walkTree(top: string, readFolder: ReadFolder): Promise<Walked> {
  let beside: Pick<Walked, "fragments" | "strays"> = { fragments: new Map(), strays: [] };
  const found: [path: string, entry: TreeEntry][] = [];
  const problems: Problem[] = [];
  let count = 0;

  const refuse = (path: string, rule: string, message: string, fix: string) => {
    // The first is enough: nothing of such a tree is used.
    if (problems.length === 0) problems.push({ file: path || ".", line: 1, column: 1, rule, message, fix });
  };

  async function walk(path: string, oid: string, depth: number): Promise<void> {
    const items = await readFolder(oid, path === "" ? (name) => TOP.has(name) : undefined);
    if (typeof items === "string") {
      const fix = "Rename or remove what is in the way, and commit with git itself.";
      return refuse(path, "bad-tree", `The folder \`${path || "."}\` ${items}.`, fix);
    }
    const below: Promise<void>[] = [];
    for (const item of path === "" ? items.filter(isTop) : items) {
      const itemPath = path === "" ? item.name : `${path}/${item.name}`;
      if (itemPath === FRAGMENT_FOLDER) {
        below.push(walkFragments(item.oid, readFolder).then((read) => void (beside = read)));
        continue;
      }
      count += 1;
      if (count > MAX_TREE_ENTRIES) {
        const fix = "Move what tools do not need out of `manifests`, `tools` and `schemas`.";
        refuse(path, "too-many-files", `The version has more than ${MAX_TREE_ENTRIES} files and folders.`, fix);
      } else if (item.kind !== "folder") {
        found.push([itemPath, Object.freeze({ oid: item.oid, kind: item.kind })]);
      } else if (depth >= MAX_TREE_DEPTH) {
        const message = `\`${itemPath}\` lies more than ${MAX_TREE_DEPTH} folders deep.`;
        refuse(itemPath, "too-deep", message, "Use a flatter layout.");
      } else {
        below.push(walk(itemPath, item.oid, depth + 1));
      }
    }
    await Promise.all(below);
  }

  await walk("", top, 0);
  return { entries: toSorted(found), ...beside, problems };
}

const KEEPERS: ReadonlySet<string> = new Set([".gitkeep", ".gitattributes", ".DS_Store"]);

/**
 * Files of the folder of fragments that may be read, and the names of all else there. Never fails: a folder of that name may be
 * anything in a repository, and no version depends on it.
 */
async function walkFragments(oid: string, readFolder: ReadFolder): Promise<Pick<Walked, "fragments" | "strays">> {
  const names = new Set<string>();
  const isWanted = (name: string) => {
    // What desktops and git need in folders says nothing of changes.
    if (!KEEPERS.has(name)) names.add(name);
    return isSafeName(name) && /\.(?:md|markdown)$/i.test(name);
  };
  const items = await readFolder(oid, isWanted);
  const files = typeof items === "string" ? [] : items.filter(({ kind }) => kind === "file");
  for (const { name } of files) names.delete(name);
  const fragments = toSorted(
    files.map((item) => [`${FRAGMENT_FOLDER}/${item.name}`, Object.freeze({ oid: item.oid, kind: "file" })]),
  );
  return { fragments, strays: Object.freeze([...names].toSorted()) };
}

function toSorted(found: readonly (readonly [path: string, entry: TreeEntry])[]): ReadonlyMap<string, TreeEntry> {
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Checks that a path may have this part: one that neither climbs out of its folder, hides text, has a meaning to git, nor
 * stands for bytes that are not UTF-8.
 */
export function isSafeName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return name !== "" && name !== "." && name !== ".." && !/[\u0000-\u001f\u007f/\\\ufffd]|^\.git$/i.test(name);
}

/** A symlink in the place of a folder counts, so that it is refused by name. */
function isTop({ name, kind }: TreeItem): boolean {
  if (name === FRAGMENT_FOLDER) return kind === "folder";
  return name === "versions.yaml" ? kind !== "folder" : kind !== "file";
}

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CairnError } from "../../errors.ts";
import { loadDirectoryTree } from "../../versions/git/directory-tree.ts";
import { loadGit } from "../../versions/git/git.ts";
import { createGitTrees } from "../../versions/git/git-tree.ts";
import { createLoader, type Loader } from "../../versions/load-version.ts";
import { type Fragments, loadFragments } from "../../versions/manifests/fragments/load-fragments.ts";
import { openObjectReader } from "../../versions/git/object-reader.ts";
import type { TreeResult } from "../../versions/git/tree-walk.ts";
import { readTextOf } from "../../versions/read-text-of.ts";
import type { Loaded } from "../../versions/version.ts";
import type { CliContext } from "../command.ts";

export interface Target {
  readonly loaded: Loaded;
  /** Paths of all files that a version is made of. */
  readonly files: readonly string[];
  /** Change fragments beside it; absent where the repository uses none. */
  readonly fragments?: Fragments | undefined;
  /** The text of one of its files; undefined where it has none of that name. */
  readonly readText: (file: string) => Promise<string | undefined>;
  close(): void;
}

/** Of a folder, whose files are not committed yet. */
export const NO_COMMIT = "0".repeat(40);

/**
 * A folder as it is on disk, or a commit of the repository here, as a version. Rejects with BAD_REQUEST if it is neither.
 * Targets that are to be compared share a loader, and so what they have in common.
 */
export async function openTarget(
  { folder, environment }: Pick<CliContext, "folder" | "environment">,
  target: string,
  loader: Loader = createLoader(),
): Promise<Target> {
  const path = resolve(folder, target);
  if ((await stat(path).catch(() => undefined))?.isDirectory()) {
    return loadTree(loader, await loadDirectoryTree(path), NO_COMMIT, () => undefined);
  }
  const git = await loadGit({ environment });
  const find = (...args: string[]) => git.run(["-C", folder, "rev-parse", ...args]).then((text) => text.trim());
  const gitDir = await find("--absolute-git-dir").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${target}\` is no folder, and there is no git repository here.`, { cause });
  });
  const findCommit = (ref: string) => find("--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  const commit = await findCommit(target).catch(async (cause: unknown) => {
    const tag = `v${target}`;
    const isTag = /^\d/.test(target) && (await findCommit(`refs/tags/${tag}`).catch(() => undefined)) !== undefined;
    const hint = isTag ? `; \`${tag}\` is a tag` : "";
    throw new CairnError(
      "BAD_REQUEST",
      `\`${target}\` is neither a folder nor a commit of the repository here${hint}.`,
      {
        cause,
      },
    );
  });
  const objects = openObjectReader(git, gitDir);
  try {
    return await loadTree(loader, await createGitTrees(objects)(commit), commit, objects.close);
  } catch (error) {
    objects.close();
    throw error;
  }
}

async function loadTree(loader: Loader, read: TreeResult, commit: string, close: () => void): Promise<Target> {
  if (!read.ok) return { loaded: read, files: [], readText: async () => undefined, close };
  const { tree } = read;
  const files = [...tree.entries].flatMap(([path, { kind }]) => (kind === "file" ? [path] : []));
  const [loaded, fragments] = await Promise.all([loader.load(tree, commit), loadFragments(tree)]);
  return { loaded, files, fragments, readText: (file) => readTextOf(tree, file), close };
}

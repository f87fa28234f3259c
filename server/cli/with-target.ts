import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { CairnError } from "../errors.ts";
import { loadDirectoryTree } from "../versions/git/directory-tree.ts";
import { loadGit } from "../versions/git/git.ts";
import { createGitTrees } from "../versions/git/git-tree.ts";
import { openObjectReader } from "../versions/git/object-reader.ts";
import { createLoader } from "../versions/load-version.ts";
import type { Problem } from "../versions/problem.ts";
import type { Tree } from "../versions/tree.ts";
import type { Version } from "../versions/version.ts";
import type { Surroundings } from "./command.ts";

export const TARGET_ARGUMENT = {
  type: "positional",
  required: false,
  default: ".",
  valueHint: "ref|dir",
  description: "A folder as it is on disk, or a tag, branch or commit of the repository here",
} as const;

/** A folder or commit that can be served, or what is wrong with it. */
export type Target =
  | {
      readonly ok: true;
      readonly version: Version;
      readonly tree: Tree;
      /** Absent: it is a folder, and nobody knows what it will be next. */
      readonly commit?: string;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Loads what a command is about by the server's own rules, and lets `work` read it. BAD_REQUEST when there is none. */
export async function withTarget<Result>(
  { folder, environment }: Pick<Surroundings, "folder" | "environment">,
  target: string,
  work: (target: Target) => Promise<Result>,
): Promise<Result> {
  const path = resolve(folder, target);
  const { load } = createLoader();
  if ((await stat(path).catch(() => undefined))?.isDirectory()) {
    const read = await loadDirectoryTree(path);
    if (!read.ok) return work(read);
    const loaded = await load(read.tree, "0".repeat(40));
    return work(loaded.ok ? { ...loaded, tree: read.tree } : loaded);
  }
  const git = await loadGit({ environment });
  const find = (...args: string[]) => git.run(["-C", folder, "rev-parse", ...args]).then((text) => text.trim());
  const gitDir = await find("--absolute-git-dir").catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${target}\` is no folder, and there is no git repository here.`, { cause });
  });
  const commit = await find("--verify", "--quiet", "--end-of-options", `${target}^{commit}`).catch((cause: unknown) => {
    throw new CairnError("BAD_REQUEST", `\`${target}\` is neither a folder nor a commit of the repository here.`, {
      cause,
    });
  });
  const objects = openObjectReader(git, gitDir);
  try {
    const read = await createGitTrees(objects)(commit);
    if (!read.ok) return await work(read);
    const loaded = await load(read.tree, commit);
    return await work(loaded.ok ? { ...loaded, tree: read.tree, commit } : loaded);
  } finally {
    await objects.close();
  }
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Git } from "../../versions/git/git.ts";
import { createOwnRepository, createWorkspaceGit, type WorkspaceGit } from "./git/workspace-git.ts";
import { WORKSPACE_LIMITS } from "./limits.ts";
import { toWorkspaceFolder, type WorkspaceFolder } from "./workspace-folder.ts";

/** The local copy of the repository that workspaces are made from. */
export interface LocalCopy {
  readonly gitDir: string;
  readonly objects: string;
  readonly objectFormat: string;
}

/** Finds the parts of a repository, bare or with a checkout. */
export async function findLocalCopy(git: Git, repository: string): Promise<LocalCopy> {
  const ask = async (args: readonly string[]) =>
    (await git.run(["-C", repository, "rev-parse", "--path-format=absolute", ...args])).trim();
  const gitDir = await ask(["--git-common-dir"]);
  return { gitDir, objects: join(gitDir, "objects"), objectFormat: await ask(["--show-object-format"]) };
}

/** The origin of a workspace. */
export interface WorkspaceBase {
  readonly commit: string;
  /** The tree of those files of the commit that it has; absent: it has all. */
  readonly tree?: string;
}

/** Filter of the files of a commit that a workspace has. */
export type WantsPath = (path: string) => boolean;

/**
 * Fills a workspace's empty folder with the files of a commit, or with those that are wanted, exactly as git has them: nothing in
 * it is run or replaced.
 */
export async function makeWorkspace(options: {
  readonly git: Git;
  readonly copy: LocalCopy;
  readonly root: string;
  readonly commit: string;
  readonly wants?: WantsPath | undefined;
}): Promise<void> {
  const { git, copy, root, commit, wants } = options;
  const folder = toWorkspaceFolder(root);
  for (const path of [folder.tree, folder.temporary]) await mkdir(path);
  await createOwnRepository({ path: folder.git, ...copy });
  const own = createWorkspaceGit(git, folder, copy.objects);
  const tree = wants === undefined ? undefined : await makePartialTree(own, folder, commit, wants);
  await writeTree(own, folder, tree ?? commit);
  const base: WorkspaceBase = { commit, ...(tree === undefined ? {} : { tree }) };
  await writeFile(folder.record, JSON.stringify(base), { flush: true });
}

/** A tree of the wanted files alone, in the workspace's own repository. */
async function makePartialTree(
  own: WorkspaceGit,
  folder: WorkspaceFolder,
  commit: string,
  wants: WantsPath,
): Promise<string> {
  const index = join(folder.temporary, "partial");
  const listed = (await own.run(["ls-tree", "-r", "-z", "--full-tree", commit], { index })).split("\0");
  const input = listed.filter((entry) => entry !== "" && wants(entry.slice(entry.indexOf("\t") + 1))).join("\0");
  await own.run(["update-index", "-z", "--index-info"], { index, input: `${input}\0` });
  return (await own.run(["write-tree"], { index })).trim();
}

/** Writes the files of a commit or a tree into the folder for them, which is empty. */
export async function writeTree(own: WorkspaceGit, folder: WorkspaceFolder, commit: string): Promise<void> {
  const index = join(folder.temporary, "index");
  await checkTree(await own.run(["ls-tree", "-r", "-l", "-z", "--full-tree", commit], { index }), commit);
  await own.run(["read-tree", commit], { index }).catch((cause: unknown) => {
    // Git knows more ways to write `.git` than anyone.
    throw new CairnError("UNPROCESSABLE", `The commit \`${commit}\` has files that cannot be written safely.`, {
      cause,
    });
  });
  await own.run(["checkout-index", "--all", "--force", "--quiet"], { index });
}

/** Reads the origin of a workspace; `undefined` when there is none, or none that is whole. */
export async function readBase(folder: WorkspaceFolder): Promise<WorkspaceBase | undefined> {
  const text = await readFile(folder.record, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [, commit, tree] = /^\{"commit":"([0-9a-f]{40,64})"(?:,"tree":"([0-9a-f]{40,64})")?\}$/.exec(text) ?? [];
  if (commit === undefined) {
    throw new CairnError("INTERNAL_ERROR", `The record of the workspace at \`${folder.root}\` cannot be read.`);
  }
  return { commit, ...(tree === undefined ? {} : { tree }) };
}

async function checkTree(listing: string, commit: string): Promise<void> {
  const entries = listing.split("\0").filter((entry) => entry !== "");
  const bytes = entries.reduce((sum, entry) => sum + (Number(/^\d+ \w+ [0-9a-f]+ +(\d+)\t/.exec(entry)?.[1]) || 0), 0);
  const reason =
    entries.length > WORKSPACE_LIMITS.files
      ? `it has ${entries.length} files, of which a workspace takes ${WORKSPACE_LIMITS.files}`
      : bytes > WORKSPACE_LIMITS.bytes
        ? `its files have ${bytes} bytes, of which a workspace takes ${WORKSPACE_LIMITS.bytes}`
        : entries.some((entry) => entry.includes("\u{FFFD}"))
          ? "it has file names that are not UTF-8"
          : undefined;
  if (reason === undefined) return;
  throw new CairnError("UNPROCESSABLE", `No workspace can be made from the commit \`${commit}\`: ${reason}.`);
}

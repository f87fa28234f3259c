import { randomBytes } from "node:crypto";
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../../errors.ts";
import { findPathFault, quote } from "../check-path.ts";
import { COMMAND_LIMITS, WORKSPACE_LIMITS } from "../limits.ts";
import { measureTree } from "../tree-usage.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";
import type { WorkspaceGit } from "./workspace-git.ts";

export interface Change {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  /** Kind of the present file; absent when deleted. */
  readonly kind?: "file" | "executable" | "symlink" | "submodule";
}

/** Something that cannot be committed, whatever is allowed. */
export interface Unfit {
  readonly path: string;
  readonly reason: string;
}

export interface Changes {
  /** By path. */
  readonly files: readonly Change[];
  readonly unfit: readonly Unfit[];
}

/** The files of a workspace as an index of git, while it is asked about. */
export interface Snapshot extends Changes {
  readonly index: string;
}

const KINDS: Readonly<Record<string, Change["kind"]>> = {
  "100644": "file",
  "100755": "executable",
  "120000": "symlink",
  "160000": "submodule",
};

/**
 * Calls `use` with how the files of a workspace differ from a commit. Every file is read again each time: a command can
 * set the times by which git would tell that a file is as it was.
 */
export async function withSnapshot<T>(
  options: {
    readonly git: WorkspaceGit;
    readonly folder: WorkspaceFolder;
    readonly commit: string;
    readonly keepObjects?: boolean;
  },
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { git, folder, commit, keepObjects = false } = options;
  const special = await findSpecial(folder.tree);
  const index = join(folder.temporary, randomBytes(12).toString("hex"));
  const run = (args: readonly string[], input?: string) =>
    git.run(args, { index, keepObjects, ...(input !== undefined && { input }) });
  try {
    await run(["read-tree", commit]);
    // Without this, git would ask a folder that calls itself a submodule how it is.
    const tracked = toPairs(await run(["diff-files", "--raw", "-z", "--no-renames", "--ignore-submodules=all"]));
    const others = splitNul(await run(["ls-files", "--others", "--exclude-standard", "-z"]));
    const unfit = [...special].map((path) => ({ path, reason: "it is neither a file nor a folder" }));
    const added = others.filter((path) => {
      const reason = path.endsWith("/") ? "it is a repository of its own" : findPathFault(path);
      if (reason !== undefined) unfit.push({ path, reason });
      return reason === undefined;
    });
    const gone = tracked.filter(({ path, letter }) => letter === "D" || special.has(path)).map(({ path }) => path);
    const isGone = new Set(gone);
    const present = tracked.map(({ path }) => path).filter((path) => !isGone.has(path));
    if (added.length > WORKSPACE_LIMITS.changedFiles) throw tooMany(added.length);
    await refuseTooLarge(folder.tree, [...present, ...added]);
    const zero = "0".repeat(commit.length);
    await run(["update-index", "-z", "--index-info"], gone.map((path) => `0 ${zero}\t${path}\0`).join(""));
    await run(["update-index", "-z", "--add", "--replace", "--stdin"], toInput([...present, ...added]));
    const files = toChanges(
      await run(["diff-index", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=all", commit]),
    );
    if (files.length > WORKSPACE_LIMITS.changedFiles) throw tooMany(files.length);
    return await use({ index, files, unfit });
  } finally {
    await rm(index, { force: true });
  }
}

/** Indexes only some files, in any state of the others. */
export async function withPaths<T>(
  options: {
    readonly git: WorkspaceGit;
    readonly folder: WorkspaceFolder;
    readonly commit: string;
    readonly paths: readonly string[];
  },
  use: (snapshot: Pick<Snapshot, "index">) => Promise<T>,
): Promise<T> {
  const { git, folder, commit, paths } = options;
  const index = join(folder.temporary, randomBytes(12).toString("hex"));
  try {
    await git.run(["read-tree", commit], { index });
    const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
    await git.run(args, { index, input: toInput(paths) });
    return await use({ index });
  } finally {
    await rm(index, { force: true });
  }
}

async function findSpecial(tree: string): Promise<ReadonlySet<string>> {
  const limits = { files: COMMAND_LIMITS.workspaceFiles, bytes: COMMAND_LIMITS.workspaceBytes };
  const { isOver, special, traps } = await measureTree(tree, limits);
  const [trap] = traps;
  if (trap !== undefined) {
    const message = `${quote(trap)} is no regular file; git cannot be asked about the workspace until it is removed.`;
    throw new CairnError("CONFLICT", message, { details: { path: trap } });
  }
  if (isOver) {
    const message = `The workspace has more than ${limits.files} files, ${limits.bytes} bytes, or too many that are no files.`;
    throw new CairnError("CONFLICT", message, { details: limits });
  }
  return new Set(special);
}

/** Git reads every byte of them, holes included. */
async function refuseTooLarge(tree: string, paths: readonly string[]): Promise<void> {
  let bytes = 0;
  for (const path of paths) bytes += (await lstat(join(tree, path)).catch(() => undefined))?.size ?? 0;
  if (bytes <= WORKSPACE_LIMITS.readByGit) return;
  const message = `The files of the workspace that git does not ignore have ${bytes} bytes; at most ${WORKSPACE_LIMITS.readByGit} are taken.`;
  throw new CairnError("CONFLICT", message, { details: { bytes, limit: WORKSPACE_LIMITS.readByGit } });
}

function toChanges(output: string): readonly Change[] {
  return toPairs(output).map(({ path, letter, mode }): Change => {
    if (letter === "D") return { path, change: "deleted" };
    const kind = KINDS[mode];
    return { path, change: letter === "A" ? "added" : "modified", ...(kind !== undefined && { kind }) };
  });
}

/** Reads `--raw -z`: `:100644 100755 <old> <new> M`, then the path. */
function toPairs(output: string): readonly { readonly path: string; readonly letter: string; readonly mode: string }[] {
  const fields = splitNul(output);
  const pairs = fields.flatMap((field, at) => (at % 2 === 0 ? [[field, fields[at + 1] ?? ""] as const] : []));
  return pairs.map(([meta, path]) => {
    const words = meta.split(" ");
    return { path, letter: words[4]?.[0] ?? "", mode: words[1] ?? "" };
  });
}

function splitNul(output: string): readonly string[] {
  return output.split("\0").filter((field) => field !== "");
}

function toInput(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join("");
}

function tooMany(count: number): CairnError {
  const message = `${count} files changed; a workspace takes at most ${WORKSPACE_LIMITS.changedFiles}. Have what is generated ignored.`;
  return new CairnError("CONFLICT", message, { details: { count, limit: WORKSPACE_LIMITS.changedFiles } });
}

import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInPlace } from "../../../versions/git/create-in-place.ts";
import type { Git } from "../../../versions/git/git.ts";
import type { WorkspaceFolder } from "../workspace-folder.ts";

/** Runs git for one workspace. Its configuration is Cairn's own, so that neither the repository nor a command has a say. */
export interface WorkspaceGit {
  /** In `tree`, the workspace's own unless told; `index` is a path. */
  run(args: readonly string[], options: WorkspaceRun): Promise<string>;
}

export interface WorkspaceRun {
  readonly index: string;
  readonly tree?: string;
  /** Puts new objects where they stay when the workspace is gone. */
  readonly keepObjects?: boolean;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Only the files of the tree's own commit; no other place has a say. */
const DEAF = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
  // No protocol at all: a submodule or a promised object is never fetched.
  GIT_ALLOW_PROTOCOL: "",
  HOME: "/nonexistent",
  XDG_CONFIG_HOME: "/nonexistent",
};

const CONFIG = `[core]
	bare = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	fsmonitor = false
	untrackedCache = false
	symlinks = true
	fileMode = true
	ignoreCase = false
	precomposeUnicode = false
	protectHFS = true
	protectNTFS = true
	autocrlf = false
	safecrlf = false
	sparseCheckout = false
	commitGraph = false
	quotePath = false
	looseCompression = 1
[protocol]
	allow = never
[submodule]
	recurse = false
[commit]
	gpgSign = false
[gc]
	auto = 0
`;

/** Stands above every \`.gitattributes\`: files are the bytes that git has, and no diff is hidden. */
const ATTRIBUTES = "* -text !eol -ident -filter !working-tree-encoding !diff !whitespace -merge\n";

export function createWorkspaceGit(git: Git, folder: WorkspaceFolder, objects: string): WorkspaceGit {
  return Object.freeze({
    run: (args: readonly string[], { index, tree = folder.tree, keepObjects, input, environment }: WorkspaceRun) =>
      git.run(["-C", tree, ...args], {
        ...(input !== undefined && { input }),
        environment: {
          ...DEAF,
          GIT_DIR: folder.git,
          GIT_WORK_TREE: tree,
          GIT_INDEX_FILE: index,
          ...(keepObjects === true && { GIT_OBJECT_DIRECTORY: objects }),
          ...environment,
        },
      }),
  });
}

/** Makes a repository that has the objects of the local copy and nothing else of it: no configuration, hooks or refs. */
export async function createOwnRepository(options: {
  readonly path: string;
  /** Folder with the objects of the local copy; absent: it has none yet. */
  readonly objects?: string;
  readonly objectFormat: string;
}): Promise<void> {
  const { path, objects, objectFormat } = options;
  // What `git init` would make, without starting it.
  for (const name of ["refs", join("objects", "info"), "info"]) await mkdir(join(path, name), { recursive: true });
  await writeFile(join(path, "HEAD"), "ref: refs/heads/main\n");
  const extensions = objectFormat === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${objectFormat}\n`;
  const version = `\trepositoryFormatVersion = ${objectFormat === "sha1" ? 0 : 1}\n`;
  await writeFile(join(path, "config"), `${CONFIG.replace("[core]\n", `[core]\n${version}`)}${extensions}`);
  await writeFile(join(path, "info", "attributes"), ATTRIBUTES);
  if (objects !== undefined) await writeFile(join(path, "objects", "info", "alternates"), `${objects}\n`);
}

/**
 * Lends commands a repository that has one commit, without those before it, and an index of it. The local copy has the work of
 * others, too, which no command may see. Returns its folder, made when it is first asked for.
 */
export async function lendRepository(options: {
  readonly git: WorkspaceGit;
  readonly folder: WorkspaceFolder;
  readonly commit: string;
  readonly objectFormat: string;
}): Promise<string> {
  const { git, folder, commit, objectFormat } = options;
  const { lent } = folder;
  if ((await stat(lent).catch(() => undefined)) !== undefined) return lent;
  await createInPlace(lent, async (path) => {
    await createOwnRepository({ path, objectFormat });
    const index = join(path, "index");
    const input = await git.run(["rev-list", "--objects", "--no-walk", commit], { index });
    await mkdir(join(path, "objects", "pack"));
    await git.run(["pack-objects", "--quiet", join(path, "objects", "pack", "pack")], { index, input });
    await git.run(["read-tree", commit], { index });
    await writeFile(join(path, "shallow"), `${commit}\n`);
    await writeFile(join(path, "HEAD"), `${commit}\n`);
  });
  return lent;
}

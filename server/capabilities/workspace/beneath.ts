import { type FileHandle, constants, mkdir, open, readdir } from "node:fs/promises";
import { CairnError } from "../../errors.ts";
import { foldName } from "../../text/fold-name.ts";
import { checkPath, quote, refusePath } from "./check-path.ts";
import { WORKSPACE_LIMITS } from "./limits.ts";

/** A folder that stays the same one whatever happens to its name, and one name in it. */
export interface Place {
  /** Of the open folder: leads to it, and nowhere else, until it is closed. */
  readonly folder: string;
  readonly name: string;
  /** Leads to the name in the folder; it is not to be followed when it is a symlink. */
  readonly path: string;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Calls `use` with the place that `path` means beneath the folder `root`. Each name on the way is opened in the one
 * before it and no symlink is followed, so that nothing that happens meanwhile leads out of the folder. Rejects with
 * BAD_REQUEST for a path that is refused, NOT_FOUND when a folder on the way is missing; `create` makes those.
 */
export async function beneath<T>(
  root: string,
  path: string,
  use: (place: Place) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  const names = checkPath(path);
  const name = names.at(-1) ?? "";
  const folder = await openBeneath(root, path, names.slice(0, -1), options.create === true);
  try {
    return await use({ folder: pathOf(folder), name, path: `${pathOf(folder)}/${name}` });
  } finally {
    await folder.close();
  }
}

/** Opens a folder: `use` gets a path that leads to it. The empty path means the root. */
export async function inFolder<T>(root: string, path: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await openBeneath(root, path, path === "" ? [] : checkPath(path), false);
  try {
    return await use(pathOf(folder));
  } finally {
    await folder.close();
  }
}

/** Rejects with CONFLICT when a folder has another name that some systems take for this one. */
export async function refuseCollision(folder: string, name: string, path: string): Promise<void> {
  const names = await readdir(folder);
  if (names.includes(name)) return;
  const folded = foldName(name);
  const other = names.find((present) => foldName(present) === folded);
  if (other === undefined) return;
  const message = `${quote(path)} would stand beside ${quote(other)}, which some systems take for the same name.`;
  throw new CairnError("CONFLICT", message, { details: { path, other } });
}

async function openBeneath(root: string, path: string, names: readonly string[], create: boolean): Promise<FileHandle> {
  let folder = await openFolder(root, path);
  for (const name of names) {
    try {
      const parent = pathOf(folder);
      if (create) await createFolder(parent, name, path);
      const next = await openFolder(`${parent}/${name}`, path);
      await folder.close();
      folder = next;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
  return folder;
}

async function openFolder(location: string, path: string): Promise<FileHandle> {
  return open(location, FOLDER).catch((error: unknown) => {
    throw toPathError(error, path);
  });
}

async function createFolder(parent: string, name: string, path: string): Promise<void> {
  await refuseCollision(parent, name, path);
  await mkdir(`${parent}/${name}`).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw toPathError(error, path);
  });
}

function pathOf(folder: FileHandle): string {
  return `/proc/self/fd/${folder.fd}`;
}

/** Converts an error of the system about a path to one in the terms of a workspace; defects stay. */
export function toPathError(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOENT":
      return new CairnError("NOT_FOUND", `There is no ${quote(path)} in the workspace.`, { details: { path } });
    case "ELOOP":
      return refusePath(path, "there is a symlink on its way; symlinks are not followed");
    case "ENOTDIR":
      return refusePath(path, "something on its way is a symlink or no folder");
    case "EACCES":
    case "EPERM":
      return refusePath(path, "a command has taken away the right to open it");
    case "ENAMETOOLONG":
      return refusePath(path, `a name in it is longer than ${WORKSPACE_LIMITS.nameBytes} bytes`);
    case "ENOSPC":
    case "EDQUOT":
      return new CairnError("UNAVAILABLE", `There is no room left on the disk for ${quote(path)}.`, { cause: error });
    default:
      return error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

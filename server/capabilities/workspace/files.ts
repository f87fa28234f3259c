import { randomBytes } from "node:crypto";
import { type FileHandle, chmod, constants, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { TextDecoder } from "node:util";
import { CairnError } from "../../errors.ts";
import { type Place, beneath, inFolder, refuseCollision, toPathError } from "./beneath.ts";
import { findPathFault, quote, refusePath } from "./check-path.ts";
import { WORKSPACE_LIMITS } from "./limits.ts";

export interface FileContent {
  readonly path: string;
  readonly content: string;
  /** Bytes. */
  readonly size: number;
  readonly executable: boolean;
}

export interface FileEntry {
  readonly name: string;
  /** `other` is what can be neither read nor written here: pipes, sockets, and names that no path can have. */
  readonly kind: "file" | "folder" | "symlink" | "other";
}

export interface Files {
  read(path: string): Promise<FileContent>;
  /** The names in a folder, by name; the empty path is the root. */
  list(path: string): Promise<readonly FileEntry[]>;
  /** Replaces or makes a file, whole or not at all, with the folders it needs. */
  write(
    path: string,
    content: string,
  ): Promise<{ readonly path: string; readonly size: number; readonly created: boolean }>;
  /** Takes a file away; the folders it was in stay. NOT_FOUND where there is none. */
  remove(path: string): Promise<void>;
}

const MODE = { plain: 0o644, executable: 0o755 } as const;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The files beneath `tree`. `temporary` is a folder of the same file system that no command can see. */
export function createFiles(tree: string, temporary: string): Files {
  return Object.freeze({
    read: async (path: string) => {
      const { bytes, executable } = await readBytes(tree, path, WORKSPACE_LIMITS.readBytes);
      return { path, content: toText(bytes, path), size: bytes.length, executable };
    },
    list: (path: string) => inFolder(tree, path, (folder) => list(folder, path)),
    write: async (path: string, content: string) => {
      if (!content.isWellFormed()) throw refuseContent(path, "it is not well-formed Unicode");
      const bytes = Buffer.from(content);
      if (bytes.length > WORKSPACE_LIMITS.writeBytes) throw tooLarge(path, bytes.length, WORKSPACE_LIMITS.writeBytes);
      const created = await replaceFile({ tree, temporary, path, bytes });
      return { path, size: bytes.length, created };
    },
    remove: (path: string) =>
      beneath(tree, path, async (place) => {
        if ((await findRegular(place, path)) === undefined) throw notThere(path);
        await rm(place.path);
      }),
  });
}

/** A regular file's bytes. Rejects with PAYLOAD_TOO_LARGE when there are more than `limit`. */
export async function readBytes(
  tree: string,
  path: string,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly executable: boolean }> {
  return beneath(tree, path, async (place) => {
    const file = await openRegular(place, path);
    try {
      const { size, mode } = await file.stat();
      if (size > limit) throw tooLarge(path, size, limit);
      // One byte more than allowed tells a file that is longer than it said.
      const buffer = Buffer.alloc(limit + 1 < size + 1 ? limit + 1 : size + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
        length += bytesRead;
        if (bytesRead === 0 || length === buffer.length) break;
      }
      if (length > limit) throw tooLarge(path, length, limit);
      return { bytes: buffer.subarray(0, length), executable: (mode & 0o100) !== 0 };
    } finally {
      await file.close();
    }
  });
}

/** Puts a file in its place by one rename; it keeps its executable bit unless told. Whether the file is new. */
async function replaceFile(options: {
  readonly tree: string;
  readonly temporary: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
}): Promise<boolean> {
  const { tree, temporary, path, bytes } = options;
  const replace = async (place: Place) => {
    const present = await findRegular(place, path);
    if (present === undefined) await refuseCollision(place.folder, place.name, path);
    const executable = options.executable ?? present?.executable ?? false;
    const unfinished = join(temporary, randomBytes(12).toString("hex"));
    try {
      const file = await open(unfinished, CREATE, MODE.plain);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await chmod(unfinished, executable ? MODE.executable : MODE.plain);
      await rename(unfinished, place.path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw toPathError(error, path);
    }
    return present === undefined;
  };
  return beneath(tree, path, replace, { create: true });
}

/** Finds the file at a place, which must be a regular one. */
export async function findRegular(place: Place, path: string): Promise<{ readonly executable: boolean } | undefined> {
  try {
    const stats = await lstat(place.path);
    if (!stats.isFile()) throw refuseKind(path, stats);
    return { executable: (stats.mode & 0o100) !== 0 };
  } catch (error) {
    const coded = toPathError(error, path);
    if (coded instanceof CairnError && coded.name === "NOT_FOUND") return undefined;
    throw coded;
  }
}

export function tooLarge(path: string, size: number, limit: number): CairnError {
  const message = `${quote(path)} has ${size} bytes; at most ${limit} can be taken at once.`;
  return new CairnError("PAYLOAD_TOO_LARGE", message, { details: { path, size, limit } });
}

function notThere(path: string): CairnError {
  return new CairnError("NOT_FOUND", `There is no ${quote(path)} in the workspace.`, { details: { path } });
}

async function openRegular(place: Place, path: string): Promise<FileHandle> {
  // Opening some devices does something, so what it is is looked at first.
  if ((await findRegular(place, path)) === undefined) throw notThere(path);
  const file = await open(place.path, READ).catch((error: unknown) => {
    throw toPathError(error, path);
  });
  const stats = await file.stat();
  if (stats.isFile()) return file;
  await file.close();
  throw refuseKind(path, stats);
}

async function list(folder: string, path: string): Promise<readonly FileEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw toPathError(error, path);
  });
  if (entries.length > WORKSPACE_LIMITS.listedNames) {
    const message = `The folder ${quote(path)} has ${entries.length} names; at most ${WORKSPACE_LIMITS.listedNames} are listed.`;
    throw new CairnError("PAYLOAD_TOO_LARGE", message, { details: { path, limit: WORKSPACE_LIMITS.listedNames } });
  }
  const listed = entries.map((entry): FileEntry => {
    const { name } = entry;
    if (findPathFault(name) !== undefined) return { name: name.toWellFormed(), kind: "other" };
    if (entry.isFile()) return { name, kind: "file" };
    if (entry.isDirectory()) return { name, kind: "folder" };
    return { name, kind: entry.isSymbolicLink() ? "symlink" : "other" };
  });
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuseContent(path, "it is not UTF-8 text");
  }
}

function refuseContent(path: string, reason: string): CairnError {
  return new CairnError("UNPROCESSABLE", `The content of ${quote(path)} cannot be taken: ${reason}.`, {
    details: { path, reason },
  });
}

function refuseKind(
  path: string,
  stats: { readonly isDirectory: () => boolean; readonly isSymbolicLink: () => boolean },
): CairnError {
  if (stats.isDirectory()) return refusePath(path, "it is a folder");
  if (stats.isSymbolicLink()) return refusePath(path, "it is a symlink; symlinks are not followed");
  return refusePath(path, "it is neither a file nor a folder");
}

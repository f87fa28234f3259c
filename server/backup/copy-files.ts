import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, readlink, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../errors.ts";
import type { ManifestEntry } from "./manifest.ts";

/** Hears of paths; what it throws ends the work. */
export type OnPath = (path: string) => void;

/** Bytes that are read at once; as many zeros at a stretch are not written. */
const CHUNK_BYTES = 256 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

export interface Contents {
  readonly bytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Copies a file to where none is yet, and flushes it. Holes stay holes: a copy takes no more room than its original. */
export async function copyFile(from: string, to: string, mode: number): Promise<Contents> {
  const source = await open(from);
  try {
    const target = await open(to, "wx", 0o600);
    try {
      const contents = await readChunks(source, async (chunk, at) => {
        if (!chunk.equals(ZEROS.subarray(0, chunk.length))) await target.write(chunk, 0, chunk.length, at);
      });
      // The length of one that ends with a hole.
      await target.truncate(contents.bytes);
      await target.chmod(mode);
      await target.sync();
      return contents;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Copies the part `name` of a folder, which may change meanwhile, into another folder: what goes away is not copied. Returns
 * what is left out for another reason, each path with the reason.
 */
export async function copyTree(from: string, to: string, name: string, onEntry: OnPath): Promise<readonly string[]> {
  const leftOut: string[] = [];
  const refuse = (path: string) => void leftOut.push(`${path}: no right to read it`);
  for await (const { path, stats } of walkPart(from, name, refuse)) {
    onEntry(path);
    const [source, target] = [join(from, path), join(to, path)];
    try {
      if (stats.isDirectory()) await mkdir(target, { mode: 0o700 });
      else if (stats.isSymbolicLink()) await symlink(await readlink(source), target);
      else if (stats.isFile()) await copyFile(source, target, stats.mode & 0o777);
      else leftOut.push(`${path}: no file, folder or link`);
    } catch (error) {
      if (isCode(error, "ENOENT")) continue;
      if (!isCode(error, "EACCES")) throw error;
      refuse(path);
    }
  }
  return leftOut;
}

/** Tries to copy a folder that changes in the meantime, before it is copied as it is found. */
const QUIET_TRIES = 5;

/**
 * Copies a folder that is made and taken away in one step, such as a workspace, as it was at one moment: again while it
 * changes, and not at all when it goes away. One that never rests, because a command is running in it, is taken as a loss
 * of power would leave it.
 */
export async function copyAtRest(from: string, to: string, name: string, onEntry: OnPath): Promise<readonly string[]> {
  const target = join(to, name);
  for (let tries = 1; ; tries++) {
    const before = await fingerprint(from, name);
    const leftOut = before === undefined ? [] : await copyTree(from, to, name, onEntry);
    const after = await fingerprint(from, name);
    if (after !== undefined && (before === after || tries === QUIET_TRIES)) return leftOut;
    await rm(target, { recursive: true, force: true });
    if (after === undefined) return [];
  }
}

/** Changes with anything in the folder; `undefined` when it is not there. */
async function fingerprint(root: string, name: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  let isThere = false;
  for await (const { path, stats } of walkPart(root, name, () => undefined)) {
    isThere = true;
    hash.update(`${path}\0${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}\n`);
  }
  return isThere ? hash.digest("hex") : undefined;
}

/** Everything in a folder that does not change, each folder before what is in it, with the checksums of files; flushes it all. */
export async function describeTree(folder: string, onEntry: OnPath): Promise<readonly ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for await (const { path, stats } of walk(folder)) {
    onEntry(path);
    if (stats.isDirectory()) entries.push({ kind: "folder", path });
    else if (stats.isSymbolicLink()) entries.push({ kind: "link", path, target: await readlink(join(folder, path)) });
    else {
      const contents = await hashFile(join(folder, path));
      await flush(join(folder, path));
      entries.push({ kind: "file", path, mode: stats.mode & 0o777, ...contents });
    }
  }
  return entries;
}

export async function hashFile(path: string): Promise<Contents> {
  const file = await open(path);
  try {
    return await readChunks(file, async () => undefined);
  } finally {
    await file.close();
  }
}

/** Flushes the names in all folders of a tree, the deepest first. */
export async function flushFolders(folder: string): Promise<void> {
  const folders = [folder];
  for await (const { path, stats } of walk(folder)) if (stats.isDirectory()) folders.push(join(folder, path));
  for (const path of folders.toReversed()) await flush(path);
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readChunks(file: FileHandle, take: (chunk: Buffer, at: number) => Promise<void>): Promise<Contents> {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await take(chunk, bytes);
    bytes += bytesRead;
  }
}

interface Found {
  /** From the folder that is walked through. */
  readonly path: string;
  readonly stats: Stats;
}

/** Everything in a folder, each folder before what is in it; `onRefused` hears of folders that cannot be read. */
async function* walk(root: string, onRefused: OnPath = () => undefined, below = ""): AsyncGenerator<Found> {
  const names = await readdir(join(root, below)).catch((error: unknown) => {
    if (below === "" || !(isCode(error, "ENOENT") || isCode(error, "EACCES"))) throw error;
    if (isCode(error, "EACCES")) onRefused(below);
    return [];
  });
  for (const name of names.toSorted()) yield* walkPart(root, below === "" ? name : `${below}/${name}`, onRefused);
}

async function* walkPart(root: string, path: string, onRefused: OnPath): AsyncGenerator<Found> {
  const stats = await lstat(join(root, path)).catch((error: unknown) => {
    if (!isCode(error, "ENOENT")) throw error;
    return undefined;
  });
  if (stats === undefined) return;
  yield { path, stats };
  if (stats.isDirectory()) yield* walk(root, onRefused, path);
}

/** Converts a refusal of the system, such as missing room or rights, to an error for people; other errors stay. */
export function toFailure(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new CairnError("UNAVAILABLE", `${what} failed: ${error.message}.`, { cause: error });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

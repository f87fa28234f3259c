import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import { createInUse, holdOrAsk, toRestoreMark } from "../instance/hold-or-ask.ts";
import { type Contents, copyFile, flush, flushFolders, hashFile, toFailure } from "./copy-files.ts";
import { DATA_PART, type FileEntry, loadManifest, type Manifest } from "./manifest.ts";

export interface RestoreOptions {
  /** Absolute path of the backup. */
  readonly backup: string;
  /** Absolute path of the data folder to be: missing or empty. */
  readonly data: string;
  readonly now: () => number;
  /** Hears of every path before it is read; what it throws ends the work. */
  readonly onEntry: (path: string) => void;
}

/**
 * Puts the data folder of a backup where there is none. Every file is compared with its checksum as it is copied. When one
 * is not as it was, everything is taken away again; until all is there, no service starts on it.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { backup, data, now } = options;
  const manifest = await loadManifest(backup);
  // Before anything is written there, and once more when nobody else can.
  await assertRestorable(data);
  const use = await holdOrAsk({ data, command: "restore", now, restores: true });
  if ("peer" in use) {
    use.peer.close();
    throw createInUse(data, use.peer.holder);
  }
  const { instance } = use;
  const giveUp = async (error: unknown): Promise<never> => {
    await instance.withdraw();
    throw error;
  };
  try {
    await assertRestorable(data).catch(giveUp);
    await copyAll(options, manifest).catch(async (error: unknown) => {
      // Where that fails, too, what is left stays marked.
      await clear(data);
      await giveUp(toFailure(`The restore into \`${data}\``, error));
    });
  } finally {
    await instance.release();
  }
  return manifest;
}

/** Refuses a folder that holds something, but for what says which process has it. */
async function assertRestorable(data: string): Promise<void> {
  const names = await readdir(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CairnError("BAD_REQUEST", `\`${data}\` cannot become a data folder: ${error.message}.`);
  });
  if (names.every((name) => isSpared(data, name))) return;
  throw new CairnError("BAD_REQUEST", `\`${data}\` is not empty; a backup is restored into a folder that is.`);
}

/** Copies everything, under the mark. */
async function copyAll({ backup, data, onEntry }: RestoreOptions, manifest: Manifest): Promise<void> {
  const mark = toRestoreMark(data);
  await writeFile(mark, "", { mode: 0o600, flush: true });
  await flush(toDataPaths(data).instance);
  await flush(data);
  for (const entry of manifest.entries) {
    onEntry(entry.path);
    const path = join(data, entry.path);
    if (entry.kind === "folder") await mkdir(path, { mode: 0o700 });
    else if (entry.kind === "link") await symlink(entry.target, path);
    else assertSame(entry, await copyFile(toSource(backup, entry), path, entry.mode).catch(toMissing(entry)));
  }
  await flushFolders(data);
  await rm(mark);
}

/** Takes away what was copied, and then the mark. */
async function clear(data: string): Promise<void> {
  for (const name of await readdir(data)) {
    if (!isSpared(data, name)) await rm(join(data, name), { recursive: true, force: true });
  }
  await rm(toRestoreMark(data), { force: true });
}

/** Compares every file of a backup with its checksum. */
export async function checkBackup({ backup, onEntry }: Pick<RestoreOptions, "backup" | "onEntry">): Promise<Manifest> {
  const manifest = await loadManifest(backup);
  for (const entry of manifest.entries) {
    onEntry(entry.path);
    if (entry.kind === "file") assertSame(entry, await hashFile(toSource(backup, entry)).catch(toMissing(entry)));
  }
  return manifest;
}

/** A mounted disk has a folder of its own at its top. */
function isSpared(data: string, name: string): boolean {
  return name === basename(toDataPaths(data).instance) || name === "lost+found";
}

function toSource(backup: string, { path }: FileEntry): string {
  return join(backup, DATA_PART, path);
}

function assertSame({ path, bytes, sha256 }: FileEntry, found: Contents): void {
  if (found.sha256 === sha256 && found.bytes === bytes) return;
  throw new CairnError(
    "UNPROCESSABLE",
    `The backup is damaged: \`${path}\` is not as it was when the backup was made.`,
  );
}

function toMissing({ path }: FileEntry): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== "ENOENT") throw error;
    throw new CairnError("UNPROCESSABLE", `The backup is damaged: \`${path}\` is missing.`);
  };
}

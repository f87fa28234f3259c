import {
  access,
  chmod,
  chown,
  constants,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CairnError } from "../../../errors.ts";
import { createEditError } from "./edit-problem.ts";

/** A file of a client as it was read. */
export interface ConfigFile {
  /** Path of the file itself, behind symbolic links. */
  readonly path: string;
  /** Text without a byte order mark; empty where there is no file. */
  readonly text: string;
  /** Absent where there is no file. */
  readonly found?: {
    readonly bytes: Buffer;
    readonly hasMark: boolean;
    readonly mode: number;
    readonly uid: number;
    readonly gid: number;
  };
}

/** Bytes of a file that is changed at most; clients' own are a few thousand. */
const SIZE_LIMIT = 1024 * 1024;
/** A file that Cairn makes is closed to other accounts: clients may put secrets into it later, which these would read. */
const NEW_MODE = 0o600;
const MARK = "\uFEFF";

/** Loads a client's file, or an empty one where there is none. */
export async function loadConfigFile(path: string): Promise<ConfigFile> {
  const real = await realpath(path).catch(orMissing(path));
  if (real === undefined) {
    if (await lstat(path).catch(orMissing(path))) throw refuse(path, "is a symbolic link that leads nowhere");
    return { path, text: "" };
  }
  const { mode, uid, gid, size } = await stat(real);
  if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw refuse(path, "is no file");
  if (size > SIZE_LIMIT) throw refuse(path, `has ${size} bytes; ${SIZE_LIMIT} are the most`);
  const bytes = await readFile(real).catch((cause: unknown) => {
    throw refuse(path, "cannot be read", cause);
  });
  const decoded = decode(path, bytes);
  const hasMark = decoded.startsWith(MARK);
  return {
    path: real,
    text: hasMark ? decoded.slice(1) : decoded,
    found: { bytes, hasMark, mode: mode & 0o7777, uid, gid },
  };
}

/**
 * Puts `text` in the place of a file that is still as it was read: whole or not at all, with the owner and rights that it has. Rejects
 * with CONFLICT if another program has changed it since.
 */
export async function saveConfigFile({ path, found }: ConfigFile, text: string): Promise<void> {
  // A rename would pass by the file's own protection.
  if (found !== undefined && ((found.mode & 0o222) === 0 || !(await isWritable(path))))
    throw refuse(path, "is read-only");
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true });
    const beside = await mkdtemp(join(folder, ".cairn-"));
    try {
      const unfinished = join(beside, basename(path));
      await writeWhole(unfinished, (found?.hasMark === true ? MARK : "") + text);
      if (found !== undefined) {
        const { uid, gid } = await stat(unfinished);
        if (uid !== found.uid || gid !== found.gid) await chown(unfinished, found.uid, found.gid);
        await chmod(unfinished, found.mode);
      }
      await put(unfinished, path, found?.bytes);
    } finally {
      await rm(beside, { recursive: true, force: true });
    }
  } catch (cause) {
    if (cause instanceof CairnError) throw cause;
    throw refuse(path, "cannot be written", cause);
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", NEW_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function put(unfinished: string, path: string, bytes: Buffer | undefined): Promise<void> {
  const changed = () =>
    new CairnError("CONFLICT", `\`${path}\` was changed meanwhile. Nothing was written; try it again.`);
  if (bytes !== undefined) {
    const now = await readFile(path).catch(orMissing(path));
    if (now === undefined || !now.equals(bytes)) throw changed();
    await rename(unfinished, path);
    return;
  }
  // Unlike a rename, it never replaces a file that came meanwhile.
  await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? changed() : error;
  });
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const text = bytes.toString("utf8");
    throw createEditError(path, text, { offset: text.indexOf("\uFFFD"), message: "it is no UTF-8" });
  }
}

function orMissing(path: string) {
  return (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== "ENOENT") throw refuse(path, "cannot be read", error);
  };
}

function refuse(path: string, why: string, cause?: unknown): CairnError {
  return new CairnError("BAD_REQUEST", `\`${path}\` ${why}. Nothing was written.`, { cause });
}

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open, readFile, rename, statfs, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { CairnError } from "../errors.ts";
import { DATA_FILE } from "./lmdb-root.ts";

/** A store of hundreds of gigabytes on a slow disk fits in; a trial that hangs does not hang the start for ever. */
export const TRIAL_LIMIT_MS = 10 * 60 * 1_000;

/**
 * Refuses a directory whose file would take the process down: a truncated or overwritten file ends whoever reads it
 * through LMDB with a signal. A file that is not as the last close left it is therefore read by a process of its own first.
 */
export async function passStartGate(directory: string): Promise<void> {
  const [left, found] = await Promise.all([loadMark(directory), loadState(directory)]);
  if (found === undefined && left !== undefined) throw refusal(directory, "its file is missing or empty");
  if (found === undefined || !existsSync(join(directory, LOCK_FILE))) await assertRoom(directory);
  if (found !== undefined && found !== left) await tryReading(directory);
}

/** Records how the file is now, so that the next start can see that nothing has touched it since. */
export async function markClean(directory: string): Promise<void> {
  const path = join(directory, MARK_FILE);
  try {
    await writeFile(`${path}.new`, (await loadState(directory)) ?? "", { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {
    // Say, because the disk is full: without a mark the next start takes longer, and is no less safe.
  }
}

const MARK_FILE = "clean";
const LOCK_FILE = "lock.mdb";
/** An empty store takes a tenth of it. */
const NEEDED_ROOM_BYTES = 1024 * 1024;
/** Holds LMDB's two headers for any size of page; each transaction changes one of them. */
const HEADER_BYTES = 128 * 1024;

/** Size and headers: cheap, and not to be mistaken for another state's, unlike a time of modification. */
async function loadState(directory: string): Promise<string | undefined> {
  const file = await open(join(directory, DATA_FILE)).catch(ignoreMissing);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    if (size === 0) return undefined;
    return `${size} ${createHash("sha256").update(buffer.subarray(0, bytesRead)).digest("hex")}\n`;
  } finally {
    await file.close();
  }
}

function loadMark(directory: string): Promise<string | undefined> {
  return readFile(join(directory, MARK_FILE), "utf8").catch(ignoreMissing);
}

/** LMDB writes a new lock file through memory, where a full disk is a signal as well. */
async function assertRoom(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= NEEDED_ROOM_BYTES) return;
  throw new CairnError("UNAVAILABLE", `The disk of the store in \`${directory}\` is full; make room and start again.`);
}

async function tryReading(directory: string): Promise<void> {
  const program = join(import.meta.dirname, `lmdb-trial${extname(import.meta.filename)}`);
  const trial = spawn(process.execPath, [program, directory], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TRIAL_LIMIT_MS,
  });
  let complaint = "";
  trial.stderr.on("data", (chunk) => (complaint = `${complaint}${chunk}`.slice(-2_000)));
  const [code, signal] = await once(trial, "close");
  if (code === 0) return;
  await assertRoom(directory);
  const outcome = signal === null ? `ended with code ${code}` : `was ended by \`${signal}\``;
  throw refusal(directory, `a trial process that read its file ${outcome}`, complaint);
}

function refusal(directory: string, what: string, cause?: string): CairnError {
  return new CairnError(
    "UNAVAILABLE",
    `The store in \`${directory}\` is damaged: ${what}. Move the directory away and put a backup in its place.`,
    cause === undefined ? {} : { cause },
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

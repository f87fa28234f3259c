import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open, readFile, rename, statfs, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { type FileLock, tryFileLock } from "../file-lock.ts";
import { DATA_FILE, PROCESS_LOCK } from "./root.ts";

/** A store of hundreds of gigabytes on a slow disk fits in; a trial that hangs does not hang the start for ever. */
const TRIAL_LIMIT_MS = 10 * 60 * 1_000;

/** Exit codes of a trial process; an uncaught error of its reading ends it with 1. */
export const TRIAL_EXIT = { READABLE: 0, IN_USE: 10, NOT_TRIED: 11 } as const;
/** Output of a trial when it begins to read. */
export const TRIAL_BEGUN = "reading\n";

/**
 * Takes the store in `directory` for this process. LMDB 3.5.6 may crash, and has lost a commit, where two processes have
 * a file open for writing, so the lock is held for as long as anybody has: by the process that uses the store, or by a
 * trial. UNAVAILABLE when another process has it.
 *
 * A file that would take the process down is refused: one that is truncated or overwritten ends whoever reads it through
 * LMDB with a signal. A file that is not as the last close left it is therefore read by a process of its own first.
 */
export async function passStartGate(directory: string): Promise<FileLock> {
  const lock = await takeLock(directory);
  try {
    const [left, found] = await Promise.all([loadMark(directory), loadState(directory)]);
    if (found === undefined && left !== undefined) throw damaged(directory, "its file is missing or empty");
    if (found === undefined || !existsSync(join(directory, LOCK_FILE))) await assertRoom(directory);
    if (found === undefined || found === left) return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
  lock.release();
  await tryReading(directory);
  return takeLock(directory);
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
/** Milliseconds for a trial to notice that the process which wanted it was killed. */
const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 20;
/** Ways to end that the file has caused; others, such as SIGKILL and SIGTERM, come from outside. */
const CRASHES: ReadonlySet<string> = new Set(["SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP"]);

async function takeLock(directory: string): Promise<FileLock> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const lock = tryFileLock(join(directory, PROCESS_LOCK));
    if (lock !== undefined) return lock;
    if (waited >= LOCK_WAIT_MS) throw inUse(directory);
    await sleep(LOCK_POLL_MS);
  }
}

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
  const program = join(import.meta.dirname, `trial${extname(import.meta.filename)}`);
  // Nothing is written to its standard input, which ends with this process.
  // It may crash by design, and a core dump would have tenants' data in it.
  const trial = spawn("/bin/sh", ["-c", 'ulimit -c 0; exec "$0" "$@"', process.execPath, program, directory], {
    timeout: TRIAL_LIMIT_MS,
  });
  let said = "";
  let complaint = "";
  trial.stdout.on("data", (chunk) => (said += chunk));
  trial.stderr.on("data", (chunk) => (complaint = `${complaint}${chunk}`.slice(-2_000)));
  const [code, signal] = await once(trial, "close");
  if (code === TRIAL_EXIT.READABLE) return;
  if (code === TRIAL_EXIT.IN_USE) throw inUse(directory);
  await assertRoom(directory);
  const outcome = signal === null ? `ended with code ${code}` : `was ended by \`${signal}\``;
  const isCausedByFile = said === TRIAL_BEGUN && (signal === null ? code === 1 : CRASHES.has(signal));
  if (isCausedByFile) throw damaged(directory, `a trial process that read its file ${outcome}`, complaint);
  throw new CairnError(
    "UNAVAILABLE",
    `The store in \`${directory}\` could not be looked at: a trial process ${outcome}${toReason(complaint)}. Start again.`,
    { cause: complaint },
  );
}

function toReason(complaint: string): string {
  const last = complaint.trim().split("\n").at(-1) ?? "";
  return last === "" ? "" : `: ${last}`;
}

function inUse(directory: string): CairnError {
  return new CairnError("UNAVAILABLE", `The store in \`${directory}\` is in use by another process.`);
}

function damaged(directory: string, what: string, cause?: string): CairnError {
  return new CairnError(
    "UNAVAILABLE",
    `The store in \`${directory}\` is damaged: ${what}. Move the directory away and put a backup in its place.`,
    cause === undefined ? {} : { cause },
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

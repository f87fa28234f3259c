import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CairnError } from "../errors.ts";

/** Sole use of something that a file stands for. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the lock on the file at `path`, which is made if missing and stays empty; `undefined` while somebody else has it,
 * in another process or in this one. The kernel holds the lock (POSIX record locks, which LMDB needs as well) and lets
 * go of it when this process ends, however it ends: so no process id, no time and no file left behind can be mistaken
 * for a holder, and containers that share the folder see each other. Node offers record locks through SQLite alone.
 *
 * Nothing else may open the file: the kernel drops all of a process's record locks on a file with the first of its
 * descriptors that is closed. SQLite keeps count of its own.
 */
export function tryFileLock(path: string): FileLock | undefined {
  try {
    // Fails when the file is there, so that no descriptor of a locked one is ever opened here.
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw cannotLock(path, error);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // The transaction is never committed, and its journal is kept in memory: no file beside the lock.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw cannotLock(path, error);
  }
  const held = database;
  return Object.freeze({
    release() {
      if (held.isOpen) held.close();
    },
  });
}

/** The low byte of SQLite's error codes says what kind of error it is; 5 is SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function cannotLock(path: string, cause: unknown): CairnError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CairnError("UNAVAILABLE", `The lock \`${path}\` cannot be taken: ${reason}.`, { cause });
}

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { type FileLock, tryFileLock } from "../../store/file-lock.ts";

/** Milliseconds for a worker of before, whose primary was killed, to end. */
const WAIT_MS = 30_000;
const POLL_MS = 20;
const FILE = /^worker-\d+\.lock$/;

/** Makes the path of the file that a worker locks as long as it lives. `folder` is that of the instance. */
export function toWorkerLock(folder: string, number: number): string {
  return join(folder, `worker-${number}.lock`);
}

/** Waits until no process works in the folders of a worker any more. @throws UNAVAILABLE */
export async function takeWorkerLock(path: string): Promise<FileLock> {
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = tryFileLock(path);
    if (lock !== undefined) return lock;
    if (waited >= WAIT_MS) throw new CairnError("UNAVAILABLE", `A worker of before has \`${path}\`, and does not end.`);
    await sleep(POLL_MS);
  }
}

/**
 * Waits for all workers of a primary that was killed: they end within a moment, and until then have their folders and the port.
 *
 * @throws UNAVAILABLE
 */
export async function outliveWorkers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name));
  for (const name of names) (await takeWorkerLock(join(folder, name))).release();
}

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** No command of ours holds a lock on refs for so long and lives. */
const STALE_MS = 120_000;

/** Removes the locks on refs that a git which was killed, or lost its power, left behind in a bare repository. */
export async function removeStaleLocks(gitDir: string): Promise<void> {
  const top = (await readdir(gitDir)).map((name) => join(gitDir, name));
  const below = (await readdir(join(gitDir, "refs"), { recursive: true })).map((name) => join(gitDir, "refs", name));
  for (const path of [...top, ...below].filter((name) => name.endsWith(".lock"))) {
    const stats = await stat(path).catch(() => undefined);
    // Not an injected clock: the time of a file is the system's own.
    if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

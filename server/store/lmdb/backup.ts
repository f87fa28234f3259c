import { chmod, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { CairnError } from "../../errors.ts";
import type { Environment } from "./environment.ts";
import { DATA_FILE } from "./root.ts";

/** A compact copy as of one moment, made beside the normal work; complete and flushed once this resolves. */
export async function backUp(environment: Environment, directory: string): Promise<void> {
  await assertEmpty(directory);
  const file = join(directory, DATA_FILE);
  try {
    await environment.copy(directory);
    await chmod(file, 0o600);
    await flush(file);
    await flush(directory);
  } catch (cause) {
    // Half a copy must not pass for a backup.
    await rm(file, { force: true });
    if (cause instanceof CairnError) throw cause;
    throw new CairnError("UNAVAILABLE", `The backup into \`${directory}\` failed: ${String(cause)}.`, { cause });
  }
}

/** Makes the directory of a backup where it is missing. @throws BAD_REQUEST where something is in it */
export async function assertEmpty(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length === 0) return;
  throw new CairnError("BAD_REQUEST", `The directory \`${directory}\` is not empty; name a new one for each backup.`);
}

async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

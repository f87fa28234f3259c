import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The end of the name of a folder that is still being made, or whose making was cut short. */
export const UNFINISHED = /\.unfinished-\d+$/;

/**
 * Makes a folder under another name first, so that what is found at `path` is never half made. `make` is given that folder
 * empty, and open to its owner alone: other accounts could read a repository that is fetched with a service's credentials.
 * When it fails, nothing is left.
 */
export async function createInPlace(path: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const unfinished = `${basename(path)}.unfinished`;
  for (const left of await readdir(parent)) {
    if (left.startsWith(unfinished)) await rm(join(parent, left), { recursive: true, force: true });
  }
  const made = join(parent, `${unfinished}-${process.pid}`);
  await mkdir(made, { mode: 0o700 });
  try {
    await make(made);
    await rename(made, path);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

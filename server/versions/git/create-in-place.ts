import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Makes a folder under another name first, so that what is found at `path` is never half made. */
export async function createInPlace(path: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const unfinished = `${basename(path)}.unfinished`;
  for (const left of await readdir(parent)) {
    if (left.startsWith(unfinished)) await rm(join(parent, left), { recursive: true, force: true });
  }
  const made = join(parent, `${unfinished}-${process.pid}`);
  await make(made);
  await rename(made, path);
}

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** In `node_modules`: what is compiled finds packages there, and a host of isolates may read them. */
const CACHE = "node_modules/.cache";
/** Milliseconds for which other runs may still use what was made of other sources. */
const KEPT_FOR = 86_400_000;

/** The folder for what these sources, by path, are compiled to; it exists where an earlier run has compiled them. */
export function toCompiledFolder(name: string, sources: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [path, source] of sources) hash.update(`${path}\0${source.length}\0${source}`);
  return resolve(CACHE, name, hash.digest("hex"));
}

/** Creates an empty folder to compile into, and removes what was made of other sources long ago. */
export function createUnfinished(name: string): string {
  const cache = resolve(CACHE, name);
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache).map((entry) => join(cache, entry))) {
    if (Date.now() - statSync(old).mtimeMs > KEPT_FOR) rmSync(old, { recursive: true, force: true });
  }
  return mkdtempSync(join(cache, "made-"));
}

/** Moves a filled folder to its place, unless another process was faster. */
export function finishCompiled(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

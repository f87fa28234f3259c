import type { Tree } from "./tree.ts";
import type { Version } from "./version.ts";

/** A version, and the text of the files that it was made of; undefined where there is no file of the name. */
export interface Readable {
  readonly version: Version;
  readonly readText: (file: string) => Promise<string | undefined>;
}

/** Longer files are no manifests. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file of a tree; undefined where it has none of that name that is a manifest. */
export async function readTextOf(tree: Tree, file: string): Promise<string | undefined> {
  const entry = tree.entries.get(file);
  const bytes = entry?.kind === "file" ? await tree.read(entry, MAX_BYTES) : undefined;
  return bytes && Buffer.from(bytes).toString();
}

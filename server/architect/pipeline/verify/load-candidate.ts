import { createHash } from "node:crypto";
import { loadDirectoryTree } from "../../../versions/git/directory-tree.ts";
import type { Loader } from "../../../versions/load-version.ts";
import type { Problem } from "../../../versions/problem.ts";
import { readTextOf } from "../../../versions/read-text-of.ts";
import type { Tree } from "../../../versions/tree.ts";
import type { Version } from "../../../versions/version.ts";

/** The version that the files of a workspace would make, and the files. */
export interface Candidate {
  readonly version: Version;
  readonly tree: Tree;
  readonly readText: (file: string) => Promise<string | undefined>;
}

export type LoadedCandidate =
  { readonly ok: true; readonly candidate: Candidate } | { readonly ok: false; readonly problems: readonly Problem[] };

/** Loads what stands in a folder. What stands in the place of its commit is equal only for equal trees. */
export async function loadCandidate(folder: string, loader: Loader): Promise<LoadedCandidate> {
  const read = await loadDirectoryTree(folder);
  if (!read.ok) return read;
  const { tree } = read;
  const loaded = await loader.load(tree, toId(tree));
  if (!loaded.ok) return loaded;
  return { ok: true, candidate: { version: loaded.version, tree, readText: (file) => readTextOf(tree, file) } };
}

/** Isolates are shared by programs of equal commits, so two candidates must never look like one. */
function toId({ entries }: Tree): string {
  const hash = createHash("sha1");
  for (const [path, { kind, oid }] of entries) hash.update(`${path}\0${kind}\0${oid}\0`);
  return hash.digest("hex");
}

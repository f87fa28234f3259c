import type { Problem } from "../problem.ts";
import { isPartOfVersion, type Tree, type TreeEntry } from "../tree.ts";
import { createProblem } from "./create-problem.ts";
import type { ReadKind } from "./file-reader.ts";
import { toKind } from "./to-kind.ts";
import { START } from "./position.ts";

export const MAX_FILES = 5_000;

export interface Survey {
  /** The files to read, by path. */
  readonly files: ReadonlyMap<string, SurveyedFile>;
  /** All paths, also of what cannot be read. */
  readonly paths: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

export interface SurveyedFile {
  readonly entry: TreeEntry;
  readonly kind: ReadKind;
}

/** Sorts a tree's files by what they are, without opening any. */
export function survey({ entries, label }: Tree): Survey {
  const files = new Map<string, SurveyedFile>();
  const problems: Problem[] = [];
  const paths = new Set([...entries.keys()].filter(isPartOfVersion));
  if (paths.size > MAX_FILES) {
    const message = `The tree ${label} has ${paths.size} files in manifests, tools and schemas; ${MAX_FILES} are allowed.`;
    const fix = "Move files that are neither manifests nor code elsewhere.";
    return { files, paths, problems: [createProblem("versions.yaml", START, "too-many-files", message, fix)] };
  }
  for (const [path, entry] of entries) {
    if (!paths.has(path)) continue;
    const kind = toKind(path, paths);
    if (entry.kind !== "file") {
      const what = entry.kind === "symlink" ? "a symbolic link" : "a submodule";
      const message = `\`${path}\` is ${what}, so the commit does not hold what it leads to.`;
      problems.push(createProblem(path, START, "not-a-file", message, "Put the file itself there."));
    } else if (kind.kind === "unknown") {
      const message = `\`${path}\` is no file of a version: ${kind.reason}.`;
      problems.push(createProblem(path, START, "unknown-file", message, kind.fix));
    } else if (kind.kind !== "other") files.set(path, { entry, kind });
  }
  return { files, paths, problems };
}

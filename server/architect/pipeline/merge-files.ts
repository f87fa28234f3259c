import { mergeYaml, type Texts } from "../edit/merge-yaml.ts";
import type { Contradiction } from "../edit/merge-values.ts";
import type { Repository } from "./repository.ts";

/** File with the present meaning of labels, for every version. */
export const HISTORY_FILE = "versions.yaml";

/** Files by path; `null` deletes. */
export type FileChanges = ReadonlyMap<string, string | null>;

export interface Merged {
  /** Files still to change, without those that the base has already. */
  readonly files: FileChanges;
  readonly conflicts: readonly Conflict[];
}

/** A file of which the base has made something else. */
export interface Conflict {
  readonly path: string;
  /** The keys that both give different values, where that is known: of YAML that both have changed. `ours` is the base. */
  readonly contradictions: readonly Contradiction[];
}

type MergeLines = Repository["mergeLines"];
type ReadText = (path: string) => Promise<string | undefined>;

/**
 * Changes of files of `original` as changes of `base`, which may have changed them as well: YAML key by key, other text as
 * git merges it, so that what either side did stays. A file that one side took away and the other changed is a conflict.
 */
export async function mergeFiles(
  mergeLines: MergeLines,
  changes: FileChanges,
  original: ReadText,
  base: ReadText,
): Promise<Merged> {
  const files = new Map<string, string | null>();
  const conflicts: Conflict[] = [];
  for (const [path, wanted] of changes) {
    const [before, now] = [(await original(path)) ?? null, (await base(path)) ?? null];
    if (now === wanted) continue;
    if (now === before) files.set(path, wanted);
    else if (now === null || wanted === null || before === null) conflicts.push({ path, contradictions: [] });
    else {
      const merged = await mergeTexts(mergeLines, path, { before, ours: now, theirs: wanted });
      if (typeof merged !== "string") conflicts.push({ path, contradictions: merged });
      else if (merged !== now) files.set(path, merged);
    }
  }
  return { files, conflicts };
}

/** The merged text, or what contradicts itself: nothing in particular where that cannot be told. */
async function mergeTexts(
  mergeLines: MergeLines,
  path: string,
  texts: Texts,
): Promise<string | readonly Contradiction[]> {
  const lines = await mergeLines(texts);
  const merged = /\.ya?ml$/.test(path) ? mergeYaml(texts, lines) : undefined;
  if (merged?.kind === "merged") return merged.text;
  return merged?.kind === "contradiction" ? merged.contradictions : (lines ?? []);
}

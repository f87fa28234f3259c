import { LRUCache } from "lru-cache";
import { isUtf8 } from "node:buffer";
import { createCodeGraph } from "../../capabilities/knowledge/create-code-graph.ts";
import { loadCommitSource } from "../../capabilities/knowledge/load-commit-source.ts";
import { loadTexts } from "../../capabilities/knowledge/load-texts.ts";
import type { Git } from "../../versions/git/git.ts";
import type { ObjectReader } from "../../versions/git/object-reader.ts";
import type { Version } from "../../versions/version.ts";

/** All files of one commit, also those that a version is not made of. */
export interface CommitFiles {
  /** In order. */
  readonly paths: readonly string[];
  /** Undefined where there is no such file, or none of text, or one that is too large to be changed here. */
  readText(path: string): Promise<string | undefined>;
  /** Describes the further impact of a change of these files in a sentence. */
  describeImpact(version: Version, changed: readonly string[]): Promise<string>;
}

const KEPT = 8;
const TEXT_BYTES = 1024 * 1024;
/** Files that make a version or test it; nothing else depends on them. */
const PARTS = /^(?:versions\.yaml$|(?:manifests|tools|schemas|test)\/)/;

export function createCommitFiles(repository: {
  readonly git: Git;
  readonly gitDir: string;
  readonly reader: ObjectReader;
}): (commit: string) => Promise<CommitFiles> {
  const known = new LRUCache<string, Promise<CommitFiles>>({ max: KEPT });
  return (commit) => {
    const kept = known.get(commit);
    if (kept !== undefined) return kept;
    const opening = open(commit);
    known.set(commit, opening);
    opening.catch(() => known.delete(commit));
    return opening;
  };

  async function open(commit: string): Promise<CommitFiles> {
    const source = await loadCommitSource(commit, repository);
    return Object.freeze<CommitFiles>({
      paths: source.paths.toSorted(),
      async readText(path) {
        const bytes = await source.read(path, TEXT_BYTES);
        return bytes === undefined || bytes.includes(0) || !isUtf8(bytes) ? undefined : Buffer.from(bytes).toString();
      },
      async describeImpact({ program }, changed) {
        const { texts } = await loadTexts({ ...source, paths: source.paths.filter((path) => PARTS.test(path)) });
        const there = changed.filter((path) => texts.has(path));
        if (there.length === 0) return "It only adds files, on which nothing depends yet.";
        return createCodeGraph(texts, program).impactOf(there).sentence;
      },
    });
  }
}

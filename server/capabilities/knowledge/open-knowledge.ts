import { LRUCache } from "lru-cache";
import type { Git } from "../../versions/git/git.ts";
import type { ObjectReader } from "../../versions/git/object-reader.ts";
import type { Version } from "../../versions/version.ts";
import { type CodeGraph, createCodeGraph } from "./create-code-graph.ts";
import { createTextIndex, type TextIndex } from "./create-text-index.ts";
import { loadCommitSource } from "./load-commit-source.ts";
import { createMeaningIndex, type MeaningIndex, type MeaningOptions } from "./meaning/open-meaning.ts";
import { loadTexts } from "./load-texts.ts";

/** Graph and index of one commit. */
export interface Knowledge {
  readonly graph: CodeGraph;
  readonly index: TextIndex;
  /** The index by meaning; absent: no model gives vectors. */
  readonly meaning?: MeaningIndex;
}

/** Each may hold tens of megabytes. */
const KEPT = 2;

/** Reads a version's commit when it is first asked about, once for all who ask meanwhile, and keeps the latest ones. */
export function openKnowledge(repository: {
  readonly git: Git;
  readonly gitDir: string;
  readonly reader: ObjectReader;
  /** Absent where no model gives vectors. */
  readonly meaning?: MeaningOptions | undefined;
}): (version: Version) => Promise<Knowledge> {
  const known = new LRUCache<string, Promise<Knowledge>>({ max: KEPT });
  return (version) => {
    const kept = known.get(version.commit);
    if (kept !== undefined) return kept;
    const reading = read(version);
    known.set(version.commit, reading);
    reading.catch(() => known.delete(version.commit));
    return reading;
  };

  async function read({ commit, program }: Version): Promise<Knowledge> {
    const texts = await loadTexts(await loadCommitSource(commit, repository));
    const index = await createTextIndex(texts);
    const { meaning } = repository;
    const plain = { graph: createCodeGraph(texts.texts, program), index };
    return meaning === undefined ? plain : { ...plain, meaning: createMeaningIndex(index, meaning) };
  }
}

import { CairnError } from "../../../errors.ts";
import type { Chunk, Hit, SearchOptions, TextIndex } from "../create-text-index.ts";
import type { MeaningIndex } from "./open-meaning.ts";

/** Passages for a query, with the way they were found. */
export interface Found {
  readonly by: "words" | "words and meaning";
  /** Reason why meaning did not count, or not for all, in a sentence; absent: it did. */
  readonly note?: string;
  readonly passages: readonly Hit[];
}

/** Passages of each list that are joined. */
const JOINED = 50;
/** Constant of the reciprocal rank fusion. */
const RANK_OFFSET = 60;

const NO_MODEL =
  "Searched by words alone: no model for vectors is configured. CAIRN_MODEL_EMBEDDINGS names one beside CAIRN_MODEL_URL.";

/**
 * Finds passages by their words, and by their meaning where a model gives vectors. The two lists are joined by reciprocal rank
 * fusion (Cormack, Clarke and Buettcher, 2009): a passage counts 1 / (60 + rank) for each list that it is in.
 */
export async function findPassages(
  index: TextIndex,
  meaning: MeaningIndex | undefined,
  query: string,
  options: SearchOptions,
): Promise<Found> {
  const byWords = index.search(query, { ...options, limit: Math.max(options.limit, JOINED) });
  const first = byWords.slice(0, options.limit);
  if (meaning === undefined) return { by: "words", note: NO_MODEL, passages: first };
  try {
    const near = await meaning.search(query, index.under(options.under), JOINED);
    const { known, all } = meaning.progress();
    const part = known < all ? { note: `Vectors are known of ${known} of ${all} passages so far.` } : {};
    return { by: "words and meaning", ...part, passages: join(byWords, near).slice(0, options.limit) };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { by: "words", note: `Searched by words alone: ${error.message}`, passages: first };
  }
}

function join(byWords: readonly Hit[], near: readonly Chunk[]): readonly Hit[] {
  const joined = new Map<string, Hit>();
  for (const list of [byWords.slice(0, JOINED), near]) {
    for (const [rank, chunk] of list.entries()) {
      const name = `${chunk.path}:${chunk.from_line}`;
      const known = joined.get(name);
      const score = (known?.score ?? 0) + 1 / (RANK_OFFSET + rank + 1);
      joined.set(name, { terms: [], ...chunk, ...(known && { terms: known.terms }), score });
    }
  }
  return [...joined.values()].sort((one, other) => other.score - one.score);
}

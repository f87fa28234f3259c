/** A text to be found, in parts that matter more or less. */
export interface Field {
  readonly terms: readonly string[];
  readonly weight: number;
}

/** One score for each document, in the order of the documents. */
export type Scorer = (query: readonly string[]) => number[];

const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.3;
/** Documents that are thought of besides the real ones, so that a word is rare even when there is but one document. */
const BACKGROUND = 10;

/**
 * Okapi BM25 over fields (BM25F: Robertson, Zaragoza, Taylor 2004), divided by what a term that is in one document only
 * could score at most. So a score reads as "how many rare words match", whatever the number of documents, and one
 * threshold does for all of them.
 */
export function createScorer(documents: readonly (readonly Field[])[]): Scorer {
  const weights = documents.map(toWeights);
  const lengths = weights.map((terms) => terms.values().reduce((sum, weight) => sum + weight, 0));
  const average = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1) || 1;
  const frequency = new Map<string, number>();
  for (const terms of weights) {
    for (const term of terms.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const total = documents.length + BACKGROUND;
  const rarity = (count: number) => Math.log(1 + (total - count + 0.5) / (count + 0.5));

  return (query) => {
    const terms = [...new Set(query)];
    return weights.map((document, index) => {
      const norm = SATURATION * (1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * (lengths[index] ?? 0)) / average);
      return terms.reduce((score, term) => {
        const weight = document.get(term) ?? 0;
        const share = rarity(frequency.get(term) ?? 0) / rarity(1);
        return weight === 0 ? score : score + (share * weight) / (weight + norm);
      }, 0);
    });
  };
}

function toWeights(fields: readonly Field[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { terms, weight } of fields) {
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight);
  }
  return weights;
}

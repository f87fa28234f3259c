import { decodeWeights, type Weights } from "../intent/decode-weights.ts";
import type { Places } from "../places/places.ts";
import { toFeatures } from "./features.ts";
import model from "./model.json" with { type: "json" };
import { toPieces } from "./pieces.ts";

interface Model extends Weights {
  readonly kinds: ReadonlyMap<string, number>;
  /** How rare each feature is. */
  readonly rareness: readonly number[];
}

/** Score of a kind that no message of those that the model was fitted to wants. */
export const UNKNOWN_KIND = -1;

let decoded: Model | undefined;

/** Decodes the model for the first message that asks: a service that gets no feedback holds none of it. */
function decode(): Model {
  return (decoded ??= {
    ...decodeWeights(model),
    kinds: new Map(model.kinds.map((kind, at) => [kind, at])),
    rareness: model.rareness.split(" ").map(Number),
  });
}

/** What a message wants by its words, with the names of this version told apart by what they stand for. */
export interface Reading {
  /** How much it wants each kind of change: above 0 it does, and below it does not. */
  readonly scores: ReadonlyMap<string, number>;
  readonly pieces: number;
}

/**
 * Reads what kind of change a message wants, without what reads wishes otherwise: linear classifiers, one for each kind, fitted by
 * `npm run fit:sureness` to the messages of test/evaluation/feedback.
 */
export function readKinds(message: string, places: Places): Reading {
  const { kinds, places: known, rareness, weights, biases } = decode();
  const pieces = toPieces(message, places);
  const own = [...toFeatures(pieces)].flatMap((feature) => known.get(feature) ?? []);
  const length = Math.sqrt(own.reduce((sum, at) => sum + (rareness[at] ?? 0) ** 2, 0));
  const size = kinds.size;
  const sums = new Float64Array(size);
  for (const at of own) {
    const by = ((rareness[at] ?? 0) / length) * model.unit;
    for (let kind = 0; kind < size; kind += 1) sums[kind] = (sums[kind] ?? 0) + by * (weights[at * size + kind] ?? 0);
  }
  const scores = new Map([...kinds].map(([kind, at]) => [kind, (biases[at] ?? 0) + (sums[at] ?? 0)]));
  return { scores, pieces: pieces.length };
}

/** Returns how much a message wants a kind of change. */
export function scoreOf({ scores }: Pick<Reading, "scores">, kind: string): number {
  return scores.get(kind) ?? UNKNOWN_KIND;
}

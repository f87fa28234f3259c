import { inflateSync } from "node:zlib";
import type { Places } from "../places/places.ts";
import { toFeatures } from "./features.ts";
import model from "./model.json" with { type: "json" };
import { toPieces } from "./pieces.ts";

/** How much a message wants each kind of change: above 0 it does, and below it does not. */
export type Wanted = (kind: string) => number;

interface Model {
  readonly kinds: ReadonlyMap<string, number>;
  /** Rows of weights by feature, and how rare each feature is. */
  readonly places: ReadonlyMap<string, number>;
  readonly rareness: readonly number[];
  /** A row for each feature, with a weight for each kind, in units of the model. */
  readonly weights: Int8Array;
  readonly biases: readonly number[];
}

/** Score of a kind that no message of those that the model was fitted to wants. */
export const UNKNOWN_KIND = -1;

let decoded: Model | undefined;

/** Decodes the model for the first message that asks: a service that gets no feedback holds none of it. */
function decode(): Model {
  return (decoded ??= {
    kinds: new Map(model.kinds.map((kind, at) => [kind, at])),
    places: new Map(model.features.split("\n").map((feature, at) => [feature, at])),
    rareness: model.rareness.split(" ").map(Number),
    weights: new Int8Array(inflateSync(Buffer.from(model.weights, "base64"))),
    biases: model.biases.split(" ").map(Number),
  });
}

/** What a message wants by its words, with the names of this version told apart by what they stand for. */
export interface Reading {
  readonly scoreOf: Wanted;
  /** Scores of all kinds by name. */
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
  return { scores, scoreOf: (kind) => scores.get(kind) ?? UNKNOWN_KIND, pieces: pieces.length };
}

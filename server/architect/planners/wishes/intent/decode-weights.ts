import { inflateSync } from "node:zlib";

/** A linear classifier as it is written. */
interface Written {
  readonly features: string;
  readonly weights: string;
  readonly biases: string;
}

/** A linear classifier: a row of weights for each feature, with one for each of what it tells apart, in units of the model. */
export interface Weights {
  /** Places of features in the rows of weights. */
  readonly places: ReadonlyMap<string, number>;
  readonly weights: Int8Array;
  readonly biases: readonly number[];
}

/** Decodes a linear classifier. */
export function decodeWeights({ features, weights, biases }: Written): Weights {
  return {
    places: new Map(features.split("\n").map((feature, at) => [feature, at])),
    weights: new Int8Array(inflateSync(Buffer.from(weights, "base64"))),
    biases: biases.split(" ").map(Number),
  };
}

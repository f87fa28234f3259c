import { decodeWeights, type Weights } from "./decode-weights.ts";
import { toFeatures } from "./features.ts";
import { IDLE_INTENTS, type Intent, INTENTS } from "./intents.ts";
import model from "./model.json" with { type: "json" };

export type { Intent } from "./intents.ts";

/** How likely a message wants each of the intents; they add up to 1. */
export type Likelihoods = ReadonlyMap<Intent, number>;

let decoded: Weights | undefined;

/** Decodes the model for the first message that asks: a service that gets no feedback holds none of it. */
function decode(): Weights {
  return (decoded ??= decodeWeights(model));
}

/**
 * Reads what a message may want from its words alone, whatever repository it is about: a linear classifier, fitted by
 * `npm run fit:intents` to the messages of test/evaluation/intents.
 */
export function readIntent(message: string): Likelihoods {
  const { places: known, weights, biases } = decode();
  const places = [...toFeatures(message)].flatMap((feature) => known.get(feature) ?? []);
  const scale = model.unit / Math.sqrt(Math.max(1, places.length));
  const scores = INTENTS.map((_, intent) => {
    let sum = biases[intent] ?? 0;
    for (const place of places) sum += scale * (weights[place * INTENTS.length + intent] ?? 0);
    return Math.exp(sum);
  });
  const all = scores.reduce((sum, one) => sum + one, 0);
  return new Map(INTENTS.map((intent, at) => [intent, (scores[at] ?? 0) / all]));
}

/** How likely it is that a message wants one of some intents. */
export function likelihoodOf(likelihoods: Likelihoods, ...intents: readonly Intent[]): number {
  return intents.reduce((sum, intent) => sum + (likelihoods.get(intent) ?? 0), 0);
}

/** How likely a message wants no change. */
export function idleness(likelihoods: Likelihoods): number {
  return likelihoodOf(likelihoods, ...IDLE_INTENTS);
}

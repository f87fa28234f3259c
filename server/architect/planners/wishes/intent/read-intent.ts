import { toFeatures } from "./features.ts";
import { IDLE_INTENTS, type Intent, INTENTS } from "./intents.ts";
import model from "./model.json" with { type: "json" };

export type { Intent } from "./intents.ts";

/** How likely a message wants each of the intents; they add up to 1. */
export type Likelihoods = ReadonlyMap<Intent, number>;

/** Features by their place in the model. */
const PLACES: ReadonlyMap<string, number> = new Map(model.features.split("\n").map((feature, at) => [feature, at]));
/** A row of weights for each feature, a weight for each intent: eighths or so, as signed bytes. */
const WEIGHTS = new Int8Array(Buffer.from(model.weights, "base64"));

const BIASES: readonly number[] = model.biases.split(" ").map(Number);

/**
 * Reads what a message may want from its words alone, whatever repository it is about: a linear classifier, fitted by
 * `npm run fit:intents` to the messages of test/evaluation/intents.
 */
export function readIntent(message: string): Likelihoods {
  const places = [...toFeatures(message)].flatMap((feature) => PLACES.get(feature) ?? []);
  const scale = model.unit / Math.sqrt(Math.max(1, places.length));
  const scores = INTENTS.map((_, intent) => {
    let sum = BIASES[intent] ?? 0;
    for (const place of places) sum += scale * (WEIGHTS[place * INTENTS.length + intent] ?? 0);
    return Math.exp(sum);
  });
  const all = scores.reduce((sum, one) => sum + one, 0);
  return new Map(INTENTS.map((intent, at) => [intent, (scores[at] ?? 0) / all]));
}

/** How likely a message wants no change. */
export function idleness(likelihoods: Likelihoods): number {
  return IDLE_INTENTS.reduce((sum, intent) => sum + (likelihoods.get(intent) ?? 0), 0);
}

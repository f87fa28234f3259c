import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { toFeatures } from "../server/architect/planners/wishes/intent/features.ts";
import { type Intent, INTENTS } from "../server/architect/planners/wishes/intent/intents.ts";

/**
 * Fits the classifier of intents (`server/architect/planners/wishes/intent/model.json`) to the messages of test/evaluation/intents,
 * and shows how well it tells those of some authors by the messages of the others: `npm run fit:intents`.
 */
const MESSAGES = join(import.meta.dirname, "../test/evaluation/intents");
const MODEL = join(import.meta.dirname, "../server/architect/planners/wishes/intent/model.json");
/** Messages that a feature stands in at least. */
const LEAST = 2;
const ROUNDS = 12;
const RATE = 0.3;
/** Strength that holds weights near 0, for each message. */
const RIDGE = 3e-3;
/** Factor by which likelihoods of a fit that is held that strongly are too even. */
const SHARPER = 3;
const FOLDS = 5;
/** Largest weight of the model that is written, and those that it leaves out: they change next to nothing, and most are such. */
const MOST = 127;
const SLIGHT = 3;

interface Example {
  readonly author: string;
  readonly intent: number;
  readonly features: ReadonlySet<string>;
}

interface Model {
  /** Amount that a weight of 1 adds to a score. */
  readonly unit: number;
  readonly features: ReadonlyMap<string, number>;
  readonly weights: Float64Array;
  readonly biases: Float64Array;
}

function readExamples(): readonly Example[] {
  return globSync("*.jsonl", { cwd: MESSAGES })
    .sort()
    .flatMap((author) =>
      readFileSync(join(MESSAGES, author), "utf8")
        .trim()
        .split("\n")
        .map((line) => {
          const { kind, message }: { kind: Intent; message: string } = JSON.parse(line);
          return { author, intent: INTENTS.indexOf(kind), features: toFeatures(message) };
        }),
    );
}

/** Multinomial logistic regression by AdaGrad, one message at a time. */
function fit(examples: readonly Example[]): Model {
  const counts = new Map<string, number>();
  for (const { features } of examples) for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= LEAST).map(([feature]) => feature);
  const places = new Map(kept.sort().map((feature, at) => [feature, at]));
  const size = INTENTS.length;
  const [weights, squares] = [new Float64Array(places.size * size), new Float64Array(places.size * size).fill(1e-6)];
  const biases = new Float64Array(size);
  const model = { unit: 1, features: places, weights, biases };
  const random = createRandom();
  const order = examples.map((_, at) => at);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
    }
    for (const at of order) {
      const { features, intent } = examples[at] ?? { features: new Set<string>(), intent: 0 };
      const own = [...features].flatMap((feature) => places.get(feature) ?? []);
      const scale = 1 / Math.sqrt(Math.max(1, own.length));
      const slopes = toShares(scoresOf(model, own));
      slopes[intent] = (slopes[intent] ?? 0) - 1;
      for (let to = 0; to < size; to += 1) biases[to] = (biases[to] ?? 0) - 0.02 * (slopes[to] ?? 0);
      for (const place of own)
        for (let to = 0; to < size; to += 1) {
          const index = place * size + to;
          const slope = (slopes[to] ?? 0) * scale + RIDGE * (weights[index] ?? 0);
          squares[index] = (squares[index] ?? 0) + slope * slope;
          weights[index] = (weights[index] ?? 0) - (RATE * slope) / Math.sqrt(squares[index]);
        }
    }
  }
  return model;
}

function scoresOf({ unit, weights, biases }: Model, places: readonly number[]): Float64Array {
  const scale = unit / Math.sqrt(Math.max(1, places.length));
  const scores = Float64Array.from(biases);
  for (const place of places)
    for (let to = 0; to < scores.length; to += 1)
      scores[to] = (scores[to] ?? 0) + scale * (weights[place * scores.length + to] ?? 0);
  return scores;
}

function toShares(scores: Float64Array): Float64Array {
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const all = shares.reduce((sum, one) => sum + one, 0);
  return shares.map((share) => share / all);
}

/** Numbers from 0 to 1, the same ones at each run (a linear congruence with the constants of C's standard). */
function createRandom(): () => number {
  let state = 7;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Shows at which place the intent of each message stands, by a model of other authors: each of five holds a fifth of them out. */
function crossValidate(examples: readonly Example[]): void {
  const places: number[] = [];
  const authors = [...new Set(examples.map((one) => one.author))];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const held = new Set(authors.filter((_, at) => at % FOLDS === fold));
    const model = toSlight(fit(examples.filter((one) => !held.has(one.author))));
    for (const { intent, features } of examples.filter((one) => held.has(one.author))) {
      const scores = scoresOf(
        model,
        [...features].flatMap((feature) => model.features.get(feature) ?? []),
      );
      places.push(scores.filter((score) => score > (scores[intent] ?? 0)).length);
    }
  }
  const within = (most: number) => ((100 * places.filter((place) => place < most).length) / places.length).toFixed(1);
  say(
    `${examples.length} messages, by the others' authors: right first ${within(1)} %, among three ${within(3)} %, among six ${within(6)} %`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The model in whole units. What a feature says of all intents alike changes no share, so each row is written without its median. */
function toSlight({ features, weights, biases }: Model): Model {
  const size = INTENTS.length;
  const rows = [...features].map(([feature, at]) => {
    const row = weights.subarray(at * size, (at + 1) * size);
    const median = row.toSorted()[size >> 1] ?? 0;
    return { feature, row: row.map((weight) => weight - median) };
  });
  const unit = rows.reduce((most, { row }) => row.reduce((all, one) => Math.max(all, Math.abs(one)), most), 0) / MOST;
  const unlessSlight = (weight: number) => (Math.abs(weight) > SLIGHT ? weight : 0);
  const slight = rows
    .map(({ feature, row }) => ({ feature, row: row.map((weight) => unlessSlight(Math.round(weight / unit))) }))
    .filter(({ row }) => row.some((weight) => weight !== 0));
  return {
    unit,
    features: new Map(slight.map(({ feature }, at) => [feature, at])),
    weights: Float64Array.from(slight.flatMap(({ row }) => [...row])),
    biases,
  };
}

function write({ unit, features, weights, biases }: Model): void {
  const model = {
    unit: Number((SHARPER * unit).toPrecision(6)),
    biases: Array.from(biases, (bias) => (SHARPER * bias).toFixed(3)).join(" "),
    features: [...features.keys()].join("\n"),
    weights: deflateSync(Int8Array.from(weights), { level: 9 }).toString("base64"),
  };
  writeFileSync(MODEL, `${JSON.stringify(model, undefined, 2)}\n`);
}

const examples = readExamples();
if (process.argv[2] !== "--only-fit") crossValidate(examples);
const model = toSlight(fit(examples));
write(model);
say(`${model.features.size} features`);

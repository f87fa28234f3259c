import type { Model } from "../server/architect/planners/wishes/learned/model.ts";

/** A message as the model of operations sees it: its features, and the operations that it asks for (`none`: nothing). */
export interface Said {
  readonly agent: string;
  readonly features: readonly string[];
  readonly operations: readonly string[];
}

/** Messages and agents that a feature has to occur in: what is said of one agent alone teaches nothing of others. */
const MESSAGES = 3;
const AGENTS = 2;
const STEPS = 40;
const RATE = 0.15;
/** Strength that holds weights near 0. */
const RIDGE = 0.0004;
/** Weights below this are left out. */
const SMALL = 0.1;

/** Fits a linear model of operations by stochastic gradient descent with AdaGrad, in an order that is always the same. */
export function fitOperations(all: readonly Said[]): Model {
  const vocabulary = toVocabulary(all);
  const operations = [...new Set(all.flatMap((one) => one.operations))].sort();
  const size = operations.length;
  const rows = all.map((one) => ({
    features: one.features.flatMap((feature) => vocabulary.get(feature) ?? []),
    targets: operations.map((name) => one.operations.filter((own) => own === name).length / one.operations.length),
  }));
  const weights = new Float64Array(vocabulary.size * size);
  const squares = new Float64Array(vocabulary.size * size).fill(1e-6);
  const scores = new Float64Array(size);
  for (let step = 0; step < STEPS; step += 1) {
    for (let turn = 0; turn < rows.length; turn += 1) {
      const row = rows[(turn * 7919 + step * 104_729) % rows.length];
      if (row === undefined) continue;
      scores.fill(0);
      for (const feature of row.features)
        for (let at = 0; at < size; at += 1) scores[at] = (scores[at] ?? 0) + (weights[feature * size + at] ?? 0);
      const most = Math.max(...scores);
      let sum = 0;
      for (let at = 0; at < size; at += 1) sum += scores[at] = Math.exp((scores[at] ?? 0) - most);
      for (const feature of row.features)
        for (let at = 0; at < size; at += 1) {
          const index = feature * size + at;
          const slope = (scores[at] ?? 0) / sum - (row.targets[at] ?? 0) + RIDGE * (weights[index] ?? 0) * 10;
          squares[index] = (squares[index] ?? 0) + slope * slope;
          weights[index] = (weights[index] ?? 0) - (RATE * slope) / Math.sqrt((squares[index] ?? 0) + 0.01);
        }
    }
  }
  return {
    operations,
    weights: new Map(
      [...vocabulary].map(([feature, row]) => [
        feature,
        Object.fromEntries(
          operations.flatMap((_, at) => {
            const weight = Math.round((weights[row * size + at] ?? 0) * 10) / 10;
            return Math.abs(weight) < SMALL ? [] : [[at, Math.max(-4.5, Math.min(4.5, weight))]];
          }),
        ),
      ]),
    ),
  };
}

function toVocabulary(all: readonly Said[]): ReadonlyMap<string, number> {
  const seen = new Map<string, { count: number; agents: Set<string> }>();
  for (const { features, agent } of all)
    for (const feature of features) {
      const one = seen.get(feature) ?? { count: 0, agents: new Set() };
      one.count += 1;
      one.agents.add(agent);
      seen.set(feature, one);
    }
  const kept = [...seen].filter(([, { count, agents }]) => count >= MESSAGES && agents.size >= AGENTS);
  return new Map(
    kept
      .map(([feature]) => feature)
      .sort()
      .map((feature, at) => [feature, at]),
  );
}

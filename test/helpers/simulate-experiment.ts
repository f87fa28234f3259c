import type { Strategy, Experiment } from "../../server/versions/experiment.ts";
import {
  type Collected,
  collectSeries,
  createCollected,
} from "../../server/capabilities/tuner/plots/collect-series.ts";
import { assignValues } from "../../server/capabilities/tuner/state/assign-values.ts";
import type { TunedSet } from "../../server/capabilities/tuner/state/tuned-set.ts";
import type { TuningEvent } from "../../server/capabilities/tuner/state/tuning-event.ts";
import type { Fit } from "../../server/capabilities/tuner/state/values.ts";
import { normalAt } from "../../server/capabilities/tuner/normal.ts";
import { uniformAt } from "../../server/capabilities/tuner/uniform.ts";

const HOUR = 3_600_000;
/** A minute after 1 January 2026: any time would do. */
const START = 1_767_225_660_000;

export function createTestSet(strategy: Strategy, arms: readonly string[], rest: Partial<Experiment> = {}): TunedSet {
  const [baseline] = arms;
  return {
    name: "route",
    defaults: {},
    parameters: new Map(),
    numbers: [],
    seed: "simulation",
    experiment: {
      strategy,
      arms: arms.map((name) => ({ name, values: { retriever: name } })),
      ...(baseline === undefined ? {} : { baseline }),
      reward: { range: [0, 5], optimize: "max", outOfRange: "reject", deadline: 48 * 3600, late: "count" },
      exploration: { share: 1, floor: 0.005, assignBy: "conversation" },
      stop: { delta: 0.05, epsilon: 0.01, minSamples: 10, maxSamples: 1_000_000, promote: true },
      ...rest,
    },
  };
}

/** Conversations, each given what the state says and most of them rewarded after hours or days; the same for a seed. */
export function simulateArms(
  set: TunedSet,
  means: readonly number[],
  conversations: number,
  collected = createCollected(set),
): Collected {
  const due: { readonly at: number; readonly event: TuningEvent }[] = [];
  let now = collected;
  const settle = (at: number) => {
    due.sort((a, b) => a.at - b.at);
    while ((due[0]?.at ?? Infinity) <= at) {
      const next = due.shift();
      if (next !== undefined) now = collectSeries(set, now, next.event);
    }
  };
  for (let index = 0; index < conversations; index += 1) {
    const at = START + index * (HOUR / 12);
    settle(at);
    const conversation = `${set.seed} ${index}`;
    const { arm } = assignValues(set, now.state, conversation);
    if (arm === undefined) throw new TypeError("The set has no arms.");
    now = collectSeries(set, now, { kind: "assigned", conversation, arm, at });
    const draw = (what: number) => uniformAt(conversation, what);
    if (draw(0) < 0.1) continue;
    const mean = means[set.experiment.arms.findIndex(({ name }) => name === arm)] ?? 0;
    const scaled = Math.min(1, Math.max(0, mean + 0.25 * normalAt(`${conversation} reward`, 0)));
    // Exponential delays, a few of them beyond the deadline.
    const delay = Math.floor(-Math.log(1 - draw(1)) * 14 * HOUR);
    const event = {
      kind: "rewarded",
      conversation,
      arm,
      reward: 5 * scaled,
      scaled,
      assignedAt: at,
      actor: "judge",
      at: at + delay,
    } as const;
    due.push({ at: at + delay, event });
  }
  return now;
}

export function createNumberSet(parameters: readonly string[], restarts: "none" | "ipop" = "ipop"): TunedSet {
  const strategy = { kind: "cma_es", sigma: 0.25, restarts, reevaluate: 0 } as const;
  const set = createTestSet(strategy, []);
  return {
    ...set,
    name: "knobs",
    defaults: Object.fromEntries(parameters.map((parameter) => [parameter, 0.5])),
    numbers: parameters.map((parameter) => ({ name: parameter, low: 0, high: 1, scale: "linear", step: null })),
    experiment: { ...set.experiment, exploration: { share: 1, floor: 0, assignBy: "conversation" } },
  };
}

/** Tells the value of each candidate of a smooth hill with ripples, so that runs end and others begin. */
export function simulateSearch(set: TunedSet, results: number, noise = 0.01): Collected {
  let now = createCollected(set);
  for (let index = 0; index < results; index += 1) {
    const { candidate, values } = assignValues(set, now.state, `${index}`);
    if (candidate === undefined) break;
    const distance = Object.values(values).reduce<number>(
      (sum, value, i) => sum + (1 + 3 * i) * (Number(value) - 0.3 - 0.08 * i) ** 2,
      0,
    );
    const scaled = Math.min(1, Math.max(0, 0.95 * Math.exp(-distance) + noise * normalAt(`${index}`, 0)));
    now = collectSeries(set, now, { kind: "told", candidate, scaled, at: START + index * 1000 });
  }
  return now;
}

export function createPreferenceSet(model: "items" | "features" = "items"): TunedSet {
  const strategy = { kind: "preference", model, l2: 1, ties: "half", targetPrecision: 0.9 } as const;
  return { ...createTestSet(strategy, []), name: "ranker" };
}

export function toFitted(set: TunedSet, estimates: Fit["estimates"], count = 120): Collected {
  const fit: Fit = { pairs: "0".repeat(64), count, estimates, threshold: null, values: {} };
  return collectSeries(set, createCollected(set), { kind: "fitted", fit, at: START });
}

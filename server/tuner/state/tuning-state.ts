import { createBandit, type Bandit } from "../bandits/bandit.ts";
import { algorithmOf } from "../bandits/strategy.ts";
import { CMA_ALGORITHM, createSearch } from "../cma/search.ts";
import { type ConfidenceSequence, createConfidenceSequence } from "../stopping/confidence-sequence.ts";
import type { Verdict } from "../stopping/stop-rule.ts";
import { type Evolution, openAll } from "./candidates.ts";
import type { Fit, Values } from "./tuning-event.ts";
import type { TunedSet } from "./tuned-set.ts";

/** All that is known of one experiment: plain JSON, bounded by the experiment and not by its history. */
export interface TuningState {
  readonly schema: 1;
  /** Pins what the events mean: a formula that changes is another name. */
  readonly algorithm: string;
  /** The last event that is part of it; -1 before the first. */
  readonly seq: number;
  /** The latest time that an event named. */
  readonly clock: number;
  readonly learner: Learner;
  readonly active: Active;
  /** What was active before, newest last. */
  readonly former: readonly Active[];
  readonly counts: Counts;
  /** Conversations that wait for a reward, by arm or candidate, in slices of time, oldest first. */
  readonly waiting: readonly Waiting[];
  readonly guard: Guard;
  /** Set once the stop rule, or the search, has ended the experiment. */
  readonly stopped: Stopped | null;
}

export type Learner =
  | { readonly kind: "bandit"; readonly bandit: Bandit }
  | Evolution
  | { readonly kind: "preference"; readonly fit: Fit | null };

export interface Active {
  readonly values: Values;
  readonly arm?: string;
  /** The event that made it so. */
  readonly since: number;
  readonly why: "default" | "stop rule" | "promoted" | "reverted" | "guardrail";
  readonly by?: string;
}

export interface Counts {
  readonly assigned: number;
  readonly rewarded: number;
  readonly failed: number;
  /** Rewards that never came, or came too late. */
  readonly expired: number;
}

export interface Waiting {
  /** Milliseconds since 1970 at which the slice begins. */
  readonly from: number;
  readonly pulls: Readonly<Record<string, number>>;
}

/** What is watched of the active values since they became so, and of the defaults ever. */
export interface Guard {
  readonly failures: Watched;
  readonly rewards: Watched;
  readonly baseline: ConfidenceSequence;
  /** What was wrong when the guardrail last took something back. */
  readonly breach: string | null;
  /** Arms that it took back, which are not promoted again by themselves. */
  readonly barred: readonly string[];
}

/** The whole says what is a little wrong all the time, the recent part what has just gone wrong. */
export interface Watched {
  readonly whole: ConfidenceSequence;
  /** Begins anew now and then, each time with less of the chance that it is mistaken. */
  readonly recent: ConfidenceSequence;
  /** How often it has begun. */
  readonly stretch: number;
}

export interface Stopped {
  readonly seq: number;
  readonly reason: string;
  /** The arm, if there are arms, that is to be kept. */
  readonly keep: string | null;
  readonly verdict: Verdict | null;
}

/** The state before anything has happened. */
export function createTuningState(set: TunedSet): TuningState {
  const { experiment, defaults } = set;
  const { baseline, guardrail } = experiment;
  const delta = guardrail?.delta ?? GUARD_DELTA;
  return {
    schema: 1,
    algorithm: algorithmNameOf(set),
    seq: -1,
    clock: 0,
    learner: createLearner(set),
    active: { values: defaults, ...(baseline === undefined ? {} : { arm: baseline }), since: -1, why: "default" },
    former: [],
    counts: { assigned: 0, rewarded: 0, failed: 0, expired: 0 },
    waiting: [],
    guard: {
      failures: createWatched(delta),
      rewards: createWatched(delta),
      baseline: createConfidenceSequence(delta),
      breach: null,
      barred: [],
    },
    stopped: null,
  };
}

/** Half of the chance of a mistake is the whole's, half the recent part's. */
export function createWatched(delta: number): Watched {
  const whole = createConfidenceSequence(delta / 2);
  return { whole, recent: createConfidenceSequence(delta / 4), stretch: 1 };
}

const GUARD_DELTA = 0.05;
/** How often a search begins anew with a larger population, and by which factor. */
const RESTARTS = { factor: 2, max: 9 };

export function algorithmNameOf({ experiment: { strategy } }: TunedSet): string {
  if (strategy.kind === "cma_es") return CMA_ALGORITHM;
  return strategy.kind === "preference" ? "preference@1" : algorithmOf(strategy);
}

function createLearner({ experiment, seed, numbers, defaults }: TunedSet): Learner {
  const { strategy, arms } = experiment;
  if (strategy.kind === "preference") return { kind: "preference", fit: null };
  if (strategy.kind !== "cma_es") {
    return {
      kind: "bandit",
      bandit: createBandit(
        strategy,
        arms.map(({ name }) => name),
      ),
    };
  }
  const { population, sigma, restarts, evaluations, reevaluate } = strategy;
  const start = Object.fromEntries(numbers.map(({ name }) => [name, Number(defaults[name])]));
  const search = createSearch({
    seed,
    parameters: numbers,
    direction: "maximize",
    start,
    sigma0: sigma,
    ...(population === undefined ? {} : { lambda: population }),
    restarts: restarts === "none" ? { mode: "none", factor: 2, max: 0 } : { mode: restarts, ...RESTARTS },
    reevaluate,
    ...(evaluations === undefined ? {} : { limits: { maxEvaluations: evaluations } }),
  });
  return openAll(search, 0, 0);
}

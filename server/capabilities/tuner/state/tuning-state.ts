import { createBandit, type Bandit } from "../bandits/bandit.ts";
import { algorithmOf } from "../bandits/strategy.ts";
import { CMA_ALGORITHM, createSearch } from "../cma/search.ts";
import { type ConfidenceSequence, createConfidenceSequence } from "../stopping/confidence-sequence.ts";
import type { Comparison } from "../stopping/comparison.ts";
import type { Verdict } from "../stopping/stop-rule.ts";
import { type Evolution, openAll } from "./candidates.ts";
import type { Fit, Values } from "./values.ts";
import type { TunedSet } from "./tuned-set.ts";

/** All that is known of one experiment: plain JSON, bounded by the experiment and not by its history. */
export interface TuningState {
  readonly schema: typeof STATE_SCHEMA;
  /** Pins what the events mean: a formula that changes is another name. */
  readonly algorithm: string;
  /** The last event that is part of it; -1 before the first. */
  readonly seq: number;
  /** The latest time that an event named. */
  readonly clock: number;
  /** By which the stop rule and the guardrail go; see `RULES`. */
  readonly rules: number;
  /** Origin from the first event; null before it, and in a log that is older than this event. */
  readonly origin: Origin | null;
  readonly learner: Learner;
  readonly active: Active;
  /** Values active before, newest last. */
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

/** Parts of an `opened` event that are shown and matter later. */
export interface Origin {
  readonly parent?: { readonly version: string; readonly commit: string };
  readonly changed?: readonly string[];
  /** Position in the parent's log up to which it was inherited, and the results that this was worth. */
  readonly inherited?: { readonly seq: number; readonly hash: string; readonly results: number };
}

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

/** Observations of the active values since they became active, and of the defaults at any time. */
export interface Guard {
  readonly failures: Watched;
  readonly rewards: Watched;
  readonly baseline: ConfidenceSequence;
  /** Under way while what is active is suspected of doing worse than what it took the place of. */
  readonly trial: Trial | null;
  /** Number of trials since the active values became active. */
  readonly trials: number;
  /** Fault for which the guardrail last took values back. */
  readonly breach: string | null;
  /** Arms that it took back, which are not promoted again by themselves. */
  readonly barred: readonly string[];
}

/** For as long as it takes, half of the conversations are given what would be gone back to, and the two are compared. */
export interface Trial {
  readonly about: "failures" | "rewards";
  /** The event that began it, and when: what began before takes no part. */
  readonly since: number;
  readonly at: number;
  readonly comparison: Comparison;
}

/** The whole says what is a little wrong all the time, the recent part what has just gone wrong. */
export interface Watched {
  readonly whole: ConfidenceSequence;
  /** Begins anew now and then, each time with less of the chance that it is mistaken. */
  readonly recent: ConfidenceSequence;
  /** Number of times that it has begun. */
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
    schema: STATE_SCHEMA,
    algorithm: algorithmNameOf(set),
    seq: -1,
    clock: 0,
    rules: 1,
    origin: null,
    learner: createLearner(set),
    active: { values: defaults, ...(baseline === undefined ? {} : { arm: baseline }), since: -1, why: "default" },
    former: [],
    counts: { assigned: 0, rewarded: 0, failed: 0, expired: 0 },
    waiting: [],
    guard: { ...createWatch(delta), breach: null, barred: [] },
    stopped: null,
  };
}

/** Nothing has been seen of the active values, nor of the defaults. */
export function createWatch(delta: number): Omit<Guard, "breach" | "barred"> {
  const watched = createWatched(delta);
  return { failures: watched, rewards: watched, baseline: createConfidenceSequence(delta), trial: null, trials: 0 };
}

/** Half of the chance of a mistake is the whole's, half the recent part's. */
function createWatched(delta: number): Watched {
  const whole = createConfidenceSequence(delta / 2);
  return { whole, recent: createConfidenceSequence(delta / 4), stretch: 1 };
}

/**
 * Rules of the stop rule and the guardrail. An `opened` event shows from where on a number holds, so that a log is always
 * replayed under the rules of its time. 1: the stop rule uses the plain variances of few rewards, and the guardrail
 * observes only the active values. 2: the stop rule allows for few rewards, and the guardrail compares in a trial.
 */
export const RULES = 2;
/** Of states that are written down; those of another number are folded anew. */
export const STATE_SCHEMA = 2;
const GUARD_DELTA = 0.05;
/** Restarts of a search: the factor of the population, and their largest number. */
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

import type { Distribution } from "./distribution.ts";
import type { History } from "./history.ts";
import { toSettings, type CmaOptions, type CmaSettings } from "./settings.ts";
import type { Vector } from "./vector.ts";

/** Name of the state that events must lead to for ever; a change that gives another state needs another name. */
export const CMA_ALGORITHM = "cma-es@2";

/** The whole state of a search: plain JSON, to which `ask`, `tell`, `inject` and `closeGeneration` are the events. */
export interface CmaSearch {
  readonly algorithm: typeof CMA_ALGORITHM;
  readonly settings: CmaSettings;
  /** The run under way; null before the first `ask` and between two runs. */
  readonly run: CmaRun | null;
  readonly finished: readonly FinishedRun[];
  /** The generation whose candidates are handed out; null when the next `ask` opens one. */
  readonly open: Generation | null;
  /** Candidates of closed generations that were handed out and never told, the oldest forgotten first. */
  readonly late: readonly Candidate[];
  /** Points from outside that wait for the next generation. */
  readonly known: readonly KnownPoint[];
  /** The best of all generations that are closed. */
  readonly best: Best | null;
  /** Number of reported results, failures included. */
  readonly evaluations: number;
  /** Reasons of the end; null while the search continues. */
  readonly stopped: StopReasons | null;
}

export type StopReason =
  | "target"
  | "maxevaluations"
  | "maxgenerations"
  | "tolfun"
  | "tolfunhist"
  | "tolx"
  | "tolfacupx"
  | "tolupsigma"
  | "conditioncov"
  | "flatfitness"
  | "stagnation"
  | "xstagnation";

/** Each reason that holds, with the figure that was measured. */
export type StopReasons = Readonly<Partial<Record<StopReason, number>>>;

export type Regime = "first" | "large" | "small";

export interface CmaRun {
  readonly index: number;
  readonly regime: Regime;
  readonly lambda: number;
  readonly sigma0: number;
  /** Of this run; null for no limit. */
  readonly maxEvaluations: number | null;
  readonly evaluations: number;
  /** Of the generation that is open or comes next. */
  readonly generation: number;
  readonly distribution: Distribution;
  readonly history: History;
  readonly best: Best | null;
  /** The last measure of noise: above 0, ranks changed more than they may. Null when none was taken. */
  readonly noise: number | null;
}

export interface FinishedRun {
  readonly index: number;
  readonly regime: Regime;
  readonly lambda: number;
  readonly generations: number;
  readonly evaluations: number;
  readonly best: Best | null;
  /** Centre of the distribution at the end. */
  readonly centre: Readonly<Record<string, number>>;
  readonly reasons: StopReasons;
}

export interface Generation {
  readonly candidates: readonly Candidate[];
  /** Second evaluations of some of them; null until all are told. */
  readonly again: readonly Candidate[] | null;
}

export interface Candidate {
  /** `run.generation.index`, and an `r` behind it for the second evaluation. */
  readonly id: string;
  readonly x: Vector;
  readonly injected: boolean;
  readonly asked: boolean;
  /** The cost, which is what is minimised. */
  readonly outcome: number | "failed" | null;
}

export interface KnownPoint {
  readonly x: Vector;
  /** Null when it has still to be evaluated. */
  readonly cost: number | null;
}

export interface Best {
  readonly id: string;
  readonly values: Readonly<Record<string, number>>;
  readonly value: number;
}

/** @throws BAD_REQUEST when an option is wrong. */
export function createSearch(options: CmaOptions): CmaSearch {
  return {
    algorithm: CMA_ALGORITHM,
    settings: toSettings(options),
    run: null,
    finished: [],
    open: null,
    late: [],
    known: [],
    best: null,
    evaluations: 0,
    stopped: null,
  };
}

import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { toUnit } from "../cma/bounds.ts";
import { toCost } from "../cma/cost.ts";
import { deviations, element } from "../cma/covariance.ts";
import type { CmaRun, CmaSearch } from "../cma/search.ts";
import type { TuningState } from "../state/tuning-state.ts";
import { createThinned, offer, type Thinned } from "./thinned.ts";

/** History of a search for numbers; its size depends only on the number of parameters. */
export interface SearchHistory {
  /** One for each generation. */
  readonly series: Thinned<SearchMoment>;
  /** Numbers of results at which runs restarted; the last ones. */
  readonly restarts: readonly number[];
}

/** State of a search when a generation begins. Rewards are on [0, 1], where 1 is best. */
export interface SearchMoment {
  readonly evaluations: number;
  /** Of the last generation; null before the first of a run. */
  readonly best: number | null;
  readonly median: number | null;
  /** Of all. */
  readonly bestSoFar: number | null;
  readonly sigma: number;
  /** Of each parameter, in declared order: the middle of what is tried, as a share of its range. */
  readonly means: readonly number[];
  /** Standard deviations of what is tried, as shares of the ranges. */
  readonly deviations: readonly number[];
  /** Square roots of the covariance's eigenvalues, the greatest first. */
  readonly axes: readonly number[];
}

const RESTART_LIMIT = 100;

export function createSearchHistory(state: TuningState): SearchHistory {
  const run = runOf(state);
  const series = createThinned<SearchMoment>();
  return { series: run === null ? series : offer(series, () => toMoment(...run)), restarts: [] };
}

/** `before` and `after` are the states around an event. */
export function extendSearchHistory(history: SearchHistory, before: TuningState, after: TuningState): SearchHistory {
  const now = runOf(after);
  if (now === null) return history;
  const [search, run] = now;
  const last = runOf(before)?.[1];
  const restarted = last !== undefined && last.index !== run.index;
  if (!restarted && last?.generation === run.generation) return history;
  return {
    series: offer(history.series, () => toMoment(search, run)),
    restarts: restarted ? [...history.restarts, search.evaluations].slice(-RESTART_LIMIT) : history.restarts,
  };
}

/** Undefined between two runs and after the last. */
export function toSearchMoment(state: TuningState): SearchMoment | undefined {
  const run = runOf(state);
  return run === null ? undefined : toMoment(...run);
}

function runOf({ learner }: TuningState): readonly [search: CmaSearch, run: CmaRun] | null {
  if (learner.kind !== "evolution" || learner.search.run === null) return null;
  return [learner.search, learner.search.run];
}

function toMoment({ settings, evaluations, best }: CmaSearch, { distribution, history }: CmaRun): SearchMoment {
  const { mean, sigma, covariance } = distribution;
  // A cost is a reward with its sign changed, or the same; either way, back again.
  const toReward = (cost: number | undefined) => (cost === undefined ? null : toCost(settings, cost));
  return {
    evaluations,
    best: toReward(history.bests.at(-1)),
    median: toReward(history.medians.at(-1)),
    bestSoFar: best?.value ?? null,
    sigma,
    means: mean.map(toUnit),
    deviations: deviations(covariance, mean.length).map((deviation) => sigma * deviation),
    axes: toAxes(covariance, mean.length),
  };
}

function toAxes(covariance: readonly number[], n: number): number[] {
  const rows = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => element(covariance, n, i, j)));
  const { realEigenvalues } = new EigenvalueDecomposition(new Matrix(rows), { assumeSymmetric: true });
  return realEigenvalues.map((value) => Math.sqrt(Math.max(0, value))).sort((a, b) => b - a);
}

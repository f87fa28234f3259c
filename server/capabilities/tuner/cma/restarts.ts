import { exp, log } from "../elementary.ts";
import { fromUnit } from "./bounds.ts";
import { startDistribution } from "./distribution.ts";
import { startHistory } from "./history.ts";
import type { CmaRun, CmaSearch, FinishedRun, Regime, StopReasons } from "./search.ts";
import { MAX_LAMBDA, type CmaSettings } from "./settings.ts";

/** Random numbers by key and index; the same ones each time they are asked for. */
export interface RandomSource {
  /** On [0, 1). */
  readonly uniform: (key: string, index: number) => number;
  /** Standard normal. */
  readonly normal: (key: string, index: number) => number;
}

/** A small run's step size is smaller by up to this. */
const SMALLEST_SIGMA_FACTOR = 0.01;

/** Checks that a run may follow one that stopped for `reasons`. */
export function mayRestart({ settings, finished, evaluations }: CmaSearch, reasons: StopReasons): boolean {
  const { restarts, limits } = settings;
  if (restarts.mode === "none" || reasons.target !== undefined) return false;
  if (evaluations >= (limits.maxEvaluations ?? Infinity)) return false;
  return nextRegime(settings, finished) === "small" || count(finished, "large") < restarts.max;
}

/**
 * The first run, or the next. IPOP (A. Auger, N. Hansen, CEC 2005): each restart has `factor` times the population. BIPOP
 * (N. Hansen, BBOB workshop 2009): such large runs, and small ones of a population and step size drawn at random, each
 * regime in turn when it has had the fewer evaluations. Restarts begin anywhere in the search space.
 */
export function startRun({ settings, finished }: CmaSearch, { uniform }: RandomSource): CmaRun {
  const index = finished.length;
  const regime = index === 0 ? "first" : nextRegime(settings, finished);
  const key = JSON.stringify([settings.seed, index]);
  const scale = toScale(settings, finished, regime, [uniform(key, 0), uniform(key, 1)]);
  const mean = settings.start.map((start, i) => fromUnit(index === 0 ? start : uniform(key, 2 + i)));
  return {
    index,
    regime,
    ...scale,
    evaluations: 0,
    generation: 0,
    distribution: startDistribution(mean, scale.sigma0),
    history: startHistory(mean),
    best: null,
    noise: null,
  };
}

function nextRegime({ restarts }: CmaSettings, finished: readonly FinishedRun[]): Regime {
  return restarts.mode === "bipop" && spent(finished, "small") < spent(finished, "large") ? "small" : "large";
}

function toScale(
  { lambda, sigma0, restarts }: CmaSettings,
  finished: readonly FinishedRun[],
  regime: Regime,
  [forLambda, forSigma]: readonly [number, number],
): Pick<CmaRun, "lambda" | "sigma0" | "maxEvaluations"> {
  if (regime === "first") return { lambda, sigma0, maxEvaluations: null };
  const large = finished.filter((run) => run.regime === "large");
  if (regime === "large") {
    const grown = large.reduce((size) => size * restarts.factor, lambda * restarts.factor);
    return { lambda: Math.min(MAX_LAMBDA, Math.floor(grown)), sigma0, maxEvaluations: null };
  }
  const last = large.at(-1);
  const ratio = Math.max(1, (last?.lambda ?? lambda) / 2 / lambda);
  return {
    lambda: Math.floor(lambda * exp(forLambda * forLambda * log(ratio))),
    sigma0: sigma0 * exp(forSigma * log(SMALLEST_SIGMA_FACTOR)),
    maxEvaluations: Math.max(1, Math.floor((last?.evaluations ?? 0) / 2)),
  };
}

function count(finished: readonly FinishedRun[], regime: Regime): number {
  return finished.filter((run) => run.regime === regime).length;
}

function spent(finished: readonly FinishedRun[], regime: Regime): number {
  return finished.reduce((total, run) => total + (run.regime === regime ? run.evaluations : 0), 0);
}

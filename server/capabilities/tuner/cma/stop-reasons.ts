import { deviations, type Spectrum } from "./covariance.ts";
import { toCost } from "./cost.ts";
import { shortStretch, stagnationStretch } from "./history.ts";
import type { Best, CmaRun, StopReason, StopReasons } from "./search.ts";
import type { CmaSettings } from "./settings.ts";
import { median, type Vector } from "./vector.ts";

/** The part of a stretch that is compared at each of its ends. */
const STAGNATION_PART = 0.3;
/** The mean may rest for so many generations, and this part of the run's. */
const REST_GENERATIONS = 20;
const REST_PART = 0.1;

/**
 * Lists the reasons to stop a run after a generation; empty when it should continue. After arXiv 1604.00772, B.3, and
 * pycma; `costs` are the generation's, best first, and `spectrum` is that of the covariance it was sampled from.
 */
export function stopReasons(
  settings: CmaSettings,
  run: CmaRun,
  {
    best,
    evaluations,
    costs,
    spectrum,
  }: {
    readonly best: Best | null;
    readonly evaluations: number;
    readonly costs: Vector;
    readonly spectrum: Spectrum;
  },
): StopReasons {
  const { limits } = settings;
  const { history, distribution, lambda } = run;
  const { sigma, covariancePath, mean } = distribution;
  const n = mean.length;
  const reasons: Partial<Record<StopReason, number>> = {};
  const stopIf = (holds: boolean, reason: StopReason, figure: number) => {
    if (holds) reasons[reason] = figure;
  };

  if (best !== null && limits.target !== null) {
    stopIf(toCost(settings, best.value) <= toCost(settings, limits.target), "target", best.value);
  }
  stopIf(evaluations >= (limits.maxEvaluations ?? Infinity), "maxevaluations", evaluations);
  stopIf(run.evaluations >= (run.maxEvaluations ?? Infinity), "maxevaluations", run.evaluations);
  const maxGenerations = limits.maxGenerations ?? 100 + Math.floor((150 * (n + 3) * (n + 3)) / Math.sqrt(lambda));
  stopIf(run.generation >= maxGenerations, "maxgenerations", run.generation);

  const recent = history.bests.slice(-shortStretch(n, lambda));
  const range = spread(recent);
  const whole = Math.max(range, spread(costs));
  const enough = recent.length >= shortStretch(n, lambda);
  stopIf(enough && whole < limits.tolFun, "tolfun", whole);
  stopIf(enough && range < limits.tolFunHist, "tolfunhist", range);

  const deviation = deviations(distribution.covariance, n).map((value) => sigma * value);
  const widest = Math.max(...deviation);
  const path = Math.max(...covariancePath.map((value) => sigma * Math.abs(value)));
  stopIf(Math.max(widest, path) < limits.tolX, "tolx", Math.max(widest, path));
  stopIf(widest > run.sigma0 * limits.tolFacUpX, "tolfacupx", widest / run.sigma0);
  const creeping = sigma / Math.sqrt(spectrum.greatest) / run.sigma0;
  stopIf(creeping > limits.tolUpSigma, "tolupsigma", creeping);
  const condition = spectrum.least > 0 ? spectrum.greatest / spectrum.least : Number.MAX_VALUE;
  stopIf(condition > limits.conditionCov, "conditioncov", condition);

  stopIf(history.flat > limits.flatGenerations, "flatfitness", history.flat);
  const stretch = history.bests.length;
  const stagnates = isNoBetter(history.bests) && isNoBetter(history.medians);
  stopIf(stretch >= stagnationStretch(n, lambda) && stagnates, "stagnation", stretch);
  const rest = history.anchor.generations;
  stopIf(rest > REST_GENERATIONS + REST_PART * run.generation, "xstagnation", rest);
  return reasons;
}

function spread(values: Vector): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
}

/** Checks that the median of the latest costs is no better than that of the earliest. */
function isNoBetter(costs: Vector): boolean {
  const part = Math.ceil(STAGNATION_PART * costs.length);
  return median(costs.slice(-part)) >= median(costs.slice(0, part));
}

import { exp, log } from "../elementary.ts";
import type { CmaConstants } from "./constants.ts";
import { element, toTriangle, type Spectrum } from "./covariance.ts";
import type { Distribution } from "./distribution.ts";
import { at, combine, squaredNorm, zeros, type Vector } from "./vector.ts";

/** A candidate as it was evaluated. */
export interface Point {
  readonly x: Vector;
  /**
   * True for a point that was not drawn from the distribution: its step is shortened to a plausible one and never has a
   * negative weight.
   */
  readonly injected: boolean;
}

interface Step {
  /** (x - mean) / sigma. */
  readonly y: Vector;
  /** C^(-1/2) y. */
  readonly z: Vector;
  /** Its weight in the covariance. */
  readonly weight: number;
}

/** The step size changes by at most a factor of e in a generation. */
const MAX_LOG_SIGMA_CHANGE = 1;

/**
 * One generation of CMA-ES (arXiv 1604.00772, section 4 and appendix A): from the points of a generation, best first and
 * as many as there are weights, to the next distribution. `spectrum` is of the covariance they were sampled from.
 */
export function update(
  distribution: Distribution,
  constants: CmaConstants,
  spectrum: Spectrum,
  ranked: readonly Point[],
): Distribution {
  const { mean, sigma, updates } = distribution;
  const { weights, mu, muEff, cSigma, dSigma, cC, c1, cMu, chiN } = constants;
  const n = mean.length;
  const steps = ranked.map((point, rank) => toStep(distribution, spectrum, point, at(weights, rank)));

  const positive = steps.slice(0, mu);
  const yMean = positive.reduce((total, { y }, rank) => combine(1, total, at(weights, rank), y), zeros(n));
  const sigmaPath = combine(
    1 - cSigma,
    distribution.sigmaPath,
    Math.sqrt(cSigma * (2 - cSigma) * muEff),
    spectrum.inverseRoot(yMean),
  );
  const length = Math.sqrt(squaredNorm(sigmaPath));
  const bias = Math.sqrt(1 - exp(2 * (updates + 1) * log(1 - cSigma)));
  const moving = length / bias < (1.4 + 2 / (n + 1)) * chiN ? 1 : 0;
  const covariancePath = combine(1 - cC, distribution.covariancePath, moving * Math.sqrt(cC * (2 - cC) * muEff), yMean);

  const total = steps.reduce((all, { weight }) => all + weight, 0);
  const kept = 1 - c1 - cMu * total + c1 * (1 - moving) * cC * (2 - cC);
  // A negative weight is divided by its step's length, so that the covariance stays positive definite.
  const learnt = steps.map(({ z, weight }) => cMu * (weight >= 0 ? weight : (weight * n) / (squaredNorm(z) || n)));
  const covariance = toTriangle(n, (i, j) =>
    steps.reduce(
      (value, { y }, rank) => value + at(learnt, rank) * at(y, i) * at(y, j),
      kept * element(distribution.covariance, n, i, j) + c1 * at(covariancePath, i) * at(covariancePath, j),
    ),
  );
  const change = (cSigma / dSigma) * (length / chiN - 1);
  return {
    mean: combine(1, mean, sigma, yMean),
    sigma: sigma * exp(Math.max(-MAX_LOG_SIGMA_CHANGE, Math.min(MAX_LOG_SIGMA_CHANGE, change))),
    covariance,
    lagging: (updates + 1) % samplingGap(n, constants) === 0 ? null : (distribution.lagging ?? distribution.covariance),
    sigmaPath,
    covariancePath,
    updates: updates + 1,
  };
}

/** Generations between two changes of what is sampled from: more than one only where little is learnt in one. */
export function samplingGap(n: number, { c1, cMu }: CmaConstants): number {
  return Math.max(1, Math.floor(1 / ((c1 + cMu) * n * 10)));
}

/** Injected points: N. Hansen, "Injecting external solutions into CMA-ES", arXiv 1110.4181. */
function toStep({ mean, sigma }: Distribution, spectrum: Spectrum, { x, injected }: Point, weight: number): Step {
  const y = x.map((value, i) => (value - at(mean, i)) / sigma);
  const z = spectrum.inverseRoot(y);
  if (!injected) return { y, z, weight };
  const n = mean.length;
  const shrink = Math.min(1, (Math.sqrt(n) + (2 * n) / (n + 2)) / Math.sqrt(squaredNorm(z) || 1));
  return { y: combine(shrink, y, 0, y), z: combine(shrink, z, 0, z), weight: Math.max(0, weight) };
}

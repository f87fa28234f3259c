import { element, identity, toTriangle, type Spectrum, type Triangle } from "./covariance.ts";
import { at, combine, zeros, type Vector } from "./vector.ts";

/** The normal distribution that candidates are drawn from, mean + sigma N(0, C), with what its adaptation remembers. */
export interface Distribution {
  readonly mean: Vector;
  readonly sigma: number;
  readonly covariance: Triangle;
  /** The covariance that is sampled from while it lags behind the one that is learnt; null when they are the same. */
  readonly lagging: Triangle | null;
  /** The evolution path of the step size. */
  readonly sigmaPath: Vector;
  /** The evolution path of the covariance. */
  readonly covariancePath: Vector;
  /** Number of generations that it has learnt from. */
  readonly updates: number;
}

export function startDistribution(mean: Vector, sigma: number): Distribution {
  const n = mean.length;
  return {
    mean,
    sigma,
    covariance: identity(n),
    lagging: null,
    sigmaPath: zeros(n),
    covariancePath: zeros(n),
    updates: 0,
  };
}

/** mean + sigma C^(1/2) z. */
export function sample({ mean, sigma }: Distribution, spectrum: Spectrum, z: Vector): number[] {
  return combine(1, mean, sigma, spectrum.root(z));
}

/** Stretches coordinate i by `factors[i]`; correlations stay. */
export function rescale(distribution: Distribution, factors: Vector): Distribution {
  if (factors.every((factor) => factor === 1)) return distribution;
  const n = distribution.mean.length;
  const stretch = (matrix: Triangle) =>
    toTriangle(n, (i, j) => element(matrix, n, i, j) * at(factors, i) * at(factors, j));
  return {
    ...distribution,
    covariance: stretch(distribution.covariance),
    lagging: distribution.lagging === null ? null : stretch(distribution.lagging),
    covariancePath: distribution.covariancePath.map((value, i) => value * at(factors, i)),
  };
}

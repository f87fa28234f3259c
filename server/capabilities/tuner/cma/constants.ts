import { log } from "../elementary.ts";

/**
 * Published form of the constants: `active` is the tutorial's, with negative weights (N. Hansen, "The CMA Evolution
 * Strategy: A Tutorial", arXiv 1604.00772v1, table 1); `positive` leaves the worse half out; `active-quarter` adds 1/4 to
 * the numerator of `cMu`, as the tutorial of 2023 and pycma do.
 */
export type CmaConvention = "active" | "positive" | "active-quarter";

export const CMA_CONVENTIONS: readonly CmaConvention[] = ["active", "positive", "active-quarter"];

export interface CmaConstants {
  readonly lambda: number;
  /** Number of candidates with a positive weight. */
  readonly mu: number;
  /** One for each rank, best first; the positive ones sum to 1. */
  readonly weights: readonly number[];
  readonly muEff: number;
  readonly cSigma: number;
  readonly dSigma: number;
  readonly cC: number;
  readonly c1: number;
  readonly cMu: number;
  /** Expected length of a standard normal vector, approximately. */
  readonly chiN: number;
}

export function defaultLambda(n: number): number {
  return 4 + Math.floor(3 * log(n));
}

export function cmaConstants(
  n: number,
  lambda: number = defaultLambda(n),
  convention: CmaConvention = "active",
): CmaConstants {
  const mu = Math.floor(lambda / 2);
  const raw = Array.from({ length: lambda }, (_, rank) => log((lambda + 1) / 2) - log(rank + 1));
  const muEff = effectiveCount(raw.slice(0, mu));
  const cSigma = (muEff + 2) / (n + muEff + 5);
  const c1 = 2 / ((n + 1.3) * (n + 1.3) + muEff);
  const quarter = convention === "active-quarter" ? 0.25 : 0;
  const cMu = Math.min(1 - c1, (2 * (quarter + muEff - 2 + 1 / muEff)) / ((n + 2) * (n + 2) + muEff));
  return {
    lambda,
    mu,
    weights: toWeights(raw, convention === "positive" ? 0 : negativeSum(n, raw.slice(mu), { muEff, c1, cMu })),
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu,
    chiN: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

/** The variance effective count of some weights: how many equal weights would average as well. */
function effectiveCount(weights: readonly number[]): number {
  return (sum(weights) * sum(weights)) / sum(weights.map((weight) => weight * weight));
}

/** Returns the magnitude of the sum of the negative weights: the least of alpha_mu, alpha_mueff and alpha_posdef. */
function negativeSum(
  n: number,
  raw: readonly number[],
  { muEff, c1, cMu }: Pick<CmaConstants, "muEff" | "c1" | "cMu">,
): number {
  return Math.min(1 + c1 / cMu, 1 + (2 * effectiveCount(raw)) / (muEff + 2), (1 - c1 - cMu) / (n * cMu));
}

function toWeights(raw: readonly number[], negative: number): number[] {
  const total = (sign: number) => sum(raw.map((weight) => Math.max(0, sign * weight)));
  const [better, worse] = [total(1), total(-1)];
  return raw.map((weight) => (weight >= 0 ? weight / better : (weight * negative) / worse));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

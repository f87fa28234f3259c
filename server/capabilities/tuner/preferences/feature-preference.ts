import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { CairnError } from "../../../errors.ts";
import type { Estimate } from "./abilities.ts";
import { fitChoiceModel, type Offer } from "./choice-model.ts";

/** The features of what was preferred and of what was not, in the order of the features' names. */
export interface FeaturePair {
  readonly preferred: readonly number[];
  readonly other: readonly number[];
}

export interface FeaturePreferenceFit {
  readonly features: readonly string[];
  readonly weights: readonly Estimate[];
  readonly covariance: readonly (readonly number[])[];
  readonly logLikelihood: number;
  readonly l2: number;
  /** True if some weights explain every pair, so that only `l2` keeps them finite. */
  readonly separable: boolean;
}

/** Eigenvalues of a correlation matrix below this are rounding. */
const DEPENDENT = 1e-10;
/** Part of a direction's best margin by which its worst may fall below 0 and still count as 0. */
const SLACK = 1e-6;

/**
 * Logistic preference: a is preferred to b with probability 1 / (1 + exp(-w . (a - b))), without an intercept. The
 * objective is logL - l2/2 * |w|^2.
 */
export function fitFeaturePreference(
  features: readonly string[],
  pairs: readonly FeaturePair[],
  { l2 }: { readonly l2: number },
): FeaturePreferenceFit {
  if (!(l2 >= 0 && l2 < Infinity)) throw new CairnError("BAD_REQUEST", `\`l2\` is \`${l2}\`; it must be 0 or more.`);
  const differences = toDifferences(features, pairs);
  if (l2 === 0) assertIndependent(features, differences);
  const separable = isSeparable(differences);
  if (separable && l2 === 0) {
    throw new CairnError(
      "UNPROCESSABLE",
      "Some weights explain every pair, so the best would be infinite. Add pairs that disagree, or set `l2` above 0.",
    );
  }
  const fit = fitChoiceModel(differences.map(toOffer), Matrix.eye(features.length).mul(l2));
  if (!fit.converged) throw new CairnError("UNPROCESSABLE", "The pairs leave the likelihood without a maximum.");
  const weights = fit.weights.map((value, place) => ({
    value,
    standardError: Math.sqrt(fit.covariance.get(place, place)),
    robustStandardError: Math.sqrt(fit.robustCovariance.get(place, place)),
  }));
  const covariance = fit.covariance.to2DArray();
  return { features, weights, covariance, logLikelihood: fit.logLikelihood, l2, separable };
}

function toDifferences(features: readonly string[], pairs: readonly FeaturePair[]): number[][] {
  if (features.length === 0) throw new CairnError("BAD_REQUEST", "A preference needs at least one feature.");
  if (pairs.length === 0) throw new CairnError("BAD_REQUEST", "A preference needs at least one pair.");
  return pairs.map(({ preferred, other }, place) => {
    const complete = [preferred, other].every((row) => row.length === features.length && row.every(Number.isFinite));
    if (complete) return features.map((_, at) => (preferred[at] ?? 0) - (other[at] ?? 0));
    throw new CairnError("BAD_REQUEST", `Pair ${place} must have ${features.length} finite numbers on each side.`);
  });
}

function toOffer(difference: readonly number[]): Offer {
  return { alternatives: [difference.map((value, column) => [column, value] as const), []], counts: [1, 0] };
}

/** The differences in units of their features' size, and how they vary. */
function decompose(differences: readonly (readonly number[])[]) {
  const norms = (differences[0] ?? []).map((_, at) =>
    Math.sqrt(differences.reduce((sum, row) => sum + (row[at] ?? 0) * (row[at] ?? 0), 0)),
  );
  const scaled = new Matrix(
    differences.map((row) => row.map((value, at) => (value === 0 ? 0 : value / (norms[at] ?? 1)))),
  );
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(scaled.transpose().mmul(scaled), {
    assumeSymmetric: true,
  });
  return { norms, scaled, eigenvalues: realEigenvalues, eigenvectors: eigenvectorMatrix };
}

/** Refuses features whose weights could be traded for each other without a pair noticing, and names them. */
function assertIndependent(features: readonly string[], differences: readonly (readonly number[])[]): void {
  const { norms, eigenvalues, eigenvectors } = decompose(differences);
  const constant = features.find((_, at) => norms[at] === 0);
  if (constant !== undefined) {
    throw new CairnError("UNPROCESSABLE", `The feature \`${constant}\` is the same on both sides of every pair.`);
  }
  const smallest = eigenvalues.indexOf(Math.min(...eigenvalues));
  if ((eigenvalues[smallest] ?? 0) > DEPENDENT) return;
  const involved = features.filter((_, at) => Math.abs(eigenvectors.get(at, smallest)) > SLACK);
  const names = involved.map((feature) => `\`${feature}\``).join(", ");
  throw new CairnError(
    "UNPROCESSABLE",
    `The features ${names} depend on each other in these pairs; leave one out, or set \`l2\` above 0.`,
  );
}

/**
 * Checks that some direction puts no pair on the wrong side and at least one on the right one, in which case the
 * likelihood has no maximum (Albert and Anderson 1984). Newton's steps that do not end point along such a direction. The
 * search covers only independent combinations of features: the others move no pair.
 */
function isSeparable(differences: readonly (readonly number[])[]): boolean {
  const { scaled, eigenvalues, eigenvectors } = decompose(differences);
  const independent = eigenvalues.flatMap((value, at) => (value > DEPENDENT ? [at] : []));
  if (independent.length === 0) return false;
  const rows = scaled.mmul(eigenvectors.subMatrixColumn(independent)).to2DArray();
  const { converged, weights, direction } = fitChoiceModel(
    rows.map(toOffer),
    Matrix.zeros(independent.length, independent.length),
  );
  return !converged && [weights, direction].some((way) => separates(rows, way));
}

function separates(rows: readonly (readonly number[])[], way: readonly number[]): boolean {
  const margins = rows.map((row) => row.reduce((sum, value, at) => sum + value * (way[at] ?? 0), 0));
  const best = Math.max(...margins);
  return best > 0 && Math.min(...margins) >= -SLACK * best;
}

import { CholeskyDecomposition, Matrix } from "ml-matrix";

/** The parts of an alternative that are not 0, as column and value. */
export type Row = readonly (readonly [column: number, value: number])[];

/** Number of times that one set of alternatives was offered, and that each was taken. */
export interface Offer {
  readonly alternatives: readonly Row[];
  readonly counts: readonly number[];
}

export interface ChoiceFit {
  /** True if the maximum was reached; otherwise there is none, or none that doubles can represent. */
  readonly converged: boolean;
  readonly weights: readonly number[];
  /** The last step; where there is no maximum, it points to where the likelihood goes on growing. */
  readonly direction: readonly number[];
  readonly iterations: number;
  readonly logLikelihood: number;
  /** Inverse of the penalised information. */
  readonly covariance: Matrix;
  /** Covariance that does not assume the model to be true (Huber 1967): A^-1 B A^-1 with B the sum of squared scores. */
  readonly robustCovariance: Matrix;
}

interface Point {
  readonly logLikelihood: number;
  readonly gradient: Matrix;
  readonly information: Matrix;
  readonly scores: Matrix;
}

const MAX_ITERATIONS = 100;
/** Furthest that one step may move two alternatives apart: steps from a poor start can overshoot beyond return. */
const STEP_CAP = 4;
/** Steps are quadratically smaller each time, so after one this small nothing is left to gain. */
const TOLERANCE = 1e-10;
/** A step this small shrinks to its square; one that does not even halve is the rounding errors of large counts. */
const NEAR = 1e-4;
/** A pivot below this share of its diagonal may be anything. */
const ROUNDING = 1e-13;
/** A step halved to less than this share of itself is taken as it is. */
const SMALLEST_SHARE = 1e-12;

/**
 * The conditional logit model (McFadden 1974): an alternative with features x is taken with a probability proportional
 * to exp(w . x). Bradley-Terry, Davidson, Plackett-Luce and logistic preferences are all cases of it. Maximises
 * logL - w' P w / 2, with P the `penalty`, by Newton's method with capped and halved steps, from w = 0.
 */
export function fitChoiceModel(offers: readonly Offer[], penalty: Matrix): ChoiceFit {
  const size = penalty.rows;
  let weights = Matrix.zeros(size, 1);
  let direction = weights;
  let point = pointAt(offers, weights);
  let last = Infinity;
  for (let iterations = 1; ; iterations += 1) {
    const curvature = Matrix.add(point.information, penalty);
    const cholesky = new CholeskyDecomposition(curvature);
    const solvable = isWellPosed(curvature, cholesky);
    if (solvable) direction = cholesky.solve(Matrix.sub(point.gradient, penalty.mmul(weights)));
    const reach = solvable ? reachOf(offers, direction) : Infinity;
    const converged = reach <= TOLERANCE || (reach <= NEAR && reach > last / 2);
    last = reach;
    if (converged || !solvable || iterations === MAX_ITERATIONS) {
      const covariance = solvable ? cholesky.solve(Matrix.eye(size)) : Matrix.zeros(size, size);
      return {
        converged,
        weights: weights.to1DArray(),
        direction: direction.to1DArray(),
        iterations,
        logLikelihood: point.logLikelihood,
        covariance,
        robustCovariance: covariance.mmul(point.scores).mmul(covariance),
      };
    }
    ({ weights, point } = advance(offers, penalty, weights, point, direction, Math.min(1, STEP_CAP / reach)));
  }
}

/**
 * Checks that every pivot exceeds rounding errors. While a climb without end continues, the curvature along it sinks
 * below the rounding errors of the rest, whose noise would then pass for a maximum.
 */
function isWellPosed(curvature: Matrix, cholesky: CholeskyDecomposition): boolean {
  const pivots = cholesky.lowerTriangularMatrix.diagonal();
  return cholesky.isPositiveDefinite() && pivots.every((pivot, at) => pivot * pivot > ROUNDING * curvature.get(at, at));
}

/** A share of the step, halved until the objective does not fall. */
function advance(offers: readonly Offer[], penalty: Matrix, from: Matrix, before: Point, step: Matrix, share: number) {
  const worst = objectiveOf(before, from, penalty) - TOLERANCE * Math.abs(before.logLikelihood);
  for (let part = share; ; part /= 2) {
    const weights = Matrix.add(from, Matrix.mul(step, part));
    const point = pointAt(offers, weights);
    if (objectiveOf(point, weights, penalty) >= worst || part < SMALLEST_SHARE) return { weights, point };
  }
}

function objectiveOf({ logLikelihood }: Point, weights: Matrix, penalty: Matrix): number {
  return logLikelihood - weights.dot(penalty.mmul(weights)) / 2;
}

function pointAt(offers: readonly Offer[], weights: Matrix): Point {
  const size = weights.rows;
  const gradient = Matrix.zeros(size, 1);
  const information = Matrix.zeros(size, size);
  const scores = Matrix.zeros(size, size);
  let logLikelihood = 0;
  for (const { alternatives, counts } of offers) {
    const utilities = alternatives.map((row) => utilityOf(row, weights));
    const highest = Math.max(...utilities);
    const total = utilities.reduce((sum, utility) => sum + Math.exp(utility - highest), 0);
    const trials = counts.reduce((sum, count) => sum + count, 0);
    const chances = utilities.map((utility) => Math.exp(utility - highest) / total);
    // Seen from the likeliest, so that a nearly certain choice still has a gradient: 1 - p would round to 0.
    const likeliest = new Map(alternatives[utilities.indexOf(highest)]);
    const rows = alternatives.map((row) => minus(new Map(row), likeliest));
    const mean = meanRow(rows, chances);
    for (const [place, row] of rows.entries()) {
      const count = counts[place] ?? 0;
      const away = [...minus(row, mean)];
      if (count > 0) logLikelihood += count * ((utilities[place] ?? 0) - highest - Math.log(total));
      for (const [column, value] of away) gradient.set(column, 0, gradient.get(column, 0) + count * value);
      addSquare(information, away, trials * (chances[place] ?? 0));
      addSquare(scores, away, count);
    }
  }
  return { logLikelihood, gradient, information, scores };
}

function utilityOf(row: Row, weights: Matrix): number {
  return row.reduce((sum, [column, value]) => sum + value * weights.get(column, 0), 0);
}

/** A row whose columns are found by their number. */
type Sparse = ReadonlyMap<number, number>;

function meanRow(rows: readonly Sparse[], chances: readonly number[]): Sparse {
  const mean = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    for (const [column, value] of row) mean.set(column, (mean.get(column) ?? 0) + (chances[place] ?? 0) * value);
  }
  return mean;
}

function minus(left: Sparse, right: Sparse): Sparse {
  const difference = new Map(left);
  for (const [column, value] of right) difference.set(column, (left.get(column) ?? 0) - value);
  return difference;
}

/** The products of columns first, so that rounding leaves the matrix symmetric, as Cholesky demands. */
function addSquare(matrix: Matrix, row: Row, factor: number): void {
  if (factor === 0) return;
  for (const [i, left] of row) {
    for (const [j, right] of row) matrix.set(i, j, matrix.get(i, j) + left * right * factor);
  }
}

/** Returns the largest distance by which a step moves two alternatives of one offer apart, in any units of the features. */
function reachOf(offers: readonly Offer[], step: Matrix): number {
  let reach = 0;
  for (const { alternatives } of offers) {
    const moves = alternatives.map((row) => utilityOf(row, step));
    reach = Math.max(reach, Math.max(...moves) - Math.min(...moves));
  }
  return reach;
}

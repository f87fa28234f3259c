import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { at, type Vector } from "./vector.ts";

/** A symmetric matrix: its upper triangle, row by row. */
export type Triangle = readonly number[];

/** Decomposition of a covariance matrix C; never stored, always made from C. */
export interface Spectrum {
  /** Least and greatest eigenvalue as computed; the least may be zero or below by rounding. */
  readonly least: number;
  readonly greatest: number;
  /** C^(1/2) x, the symmetric root: free of the eigenvectors' sign and order, so the same on every machine. */
  readonly root: (x: Vector) => number[];
  /** C^(-1/2) x. */
  readonly inverseRoot: (x: Vector) => number[];
}

/** Eigenvalues below this part of the greatest are raised to it, so that what is sampled has all its dimensions. */
const EIGENVALUE_FLOOR = 1e-14;

export function identity(n: number): Triangle {
  return toTriangle(n, (i, j) => (i === j ? 1 : 0));
}

export function toTriangle(n: number, valueAt: (i: number, j: number) => number): Triangle {
  const triangle: number[] = [];
  for (let i = 0; i < n; i += 1) for (let j = i; j < n; j += 1) triangle.push(valueAt(i, j));
  return triangle;
}

/** Element (i, j) of a triangle of order `n`. */
export function element(triangle: Triangle, n: number, i: number, j: number): number {
  const [row, column] = i <= j ? [i, j] : [j, i];
  return at(triangle, row * n - (row * (row - 1)) / 2 + column - row);
}

/** Standard deviation of each coordinate, for a step size of 1. */
export function deviations(triangle: Triangle, n: number): number[] {
  return Array.from({ length: n }, (_, i) => Math.sqrt(element(triangle, n, i, i)));
}

export function toSpectrum(triangle: Triangle, n: number): Spectrum {
  const full = Matrix.zeros(n, n);
  let next = 0;
  for (let i = 0; i < n; i += 1) {
    for (let j = i; j < n; j += 1, next += 1) {
      full.set(i, j, at(triangle, next));
      full.set(j, i, at(triangle, next));
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(full, { assumeSymmetric: true });
  const greatest = Math.max(...realEigenvalues);
  const lengths = realEigenvalues.map((value) => Math.sqrt(Math.max(value, greatest * EIGENVALUE_FLOOR)));
  const root = withAxes(eigenvectorMatrix, lengths);
  const inverse = withAxes(
    eigenvectorMatrix,
    lengths.map((length) => 1 / length),
  );
  return { least: Math.min(...realEigenvalues), greatest, root: times(root), inverseRoot: times(inverse) };
}

/** B diag(lengths) B^T. */
function withAxes(vectors: Matrix, lengths: Vector): Matrix {
  return vectors
    .clone()
    .mulRowVector([...lengths])
    .mmul(vectors.transpose());
}

function times(matrix: Matrix): (x: Vector) => number[] {
  return (x) => x.map((_, i) => x.reduce((total, value, j) => total + matrix.get(i, j) * value, 0));
}

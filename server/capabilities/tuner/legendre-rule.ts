export interface LegendreRule {
  /** In (-1, 1), descending. */
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
  /** `integrals[k][j]`: what the value at node j adds to the integral from -1 to node k. */
  readonly integrals: readonly (readonly number[])[];
}

const NEWTON_STEPS = 8;

/**
 * Gauss-Legendre quadrature on [-1, 1], exact for polynomials below degree 2 * size, with the integrals of its own
 * interpolating polynomials (Golub and Welsch 1969 has the rule; here the nodes come from Newton's method).
 */
export function legendreRule(size: number): LegendreRule {
  const nodes = Array.from({ length: size }, (_, place) => nodeOf(size, place));
  const weights = nodes.map((node) => {
    const slope = slopeAt(size, node);
    return 2 / ((1 - node * node) * slope * slope);
  });
  const values = nodes.map((node) => polynomialsAt(size, node));
  const integrals = nodes.map((node, upTo) =>
    nodes.map((_, from) => {
      // L_j = w_j * sum over n of (n + 1/2) P_n(x_j) P_n, and P_n integrates to (P_(n+1) - P_(n-1)) / (2n + 1).
      let sum = node + 1;
      for (let n = 1; n < size; n += 1) {
        sum += at(values, from, n) * (at(values, upTo, n + 1) - at(values, upTo, n - 1));
      }
      return ((weights[from] ?? 0) * sum) / 2;
    }),
  );
  return { nodes, weights, integrals };
}

function nodeOf(size: number, place: number): number {
  let x = Math.cos((Math.PI * (place + 0.75)) / (size + 0.5));
  for (let step = 0; step < NEWTON_STEPS; step += 1) x -= (polynomialsAt(size, x)[size] ?? 0) / slopeAt(size, x);
  return x;
}

/** Values of the Legendre polynomials of degree 0 to size, by their three-term recurrence. */
function polynomialsAt(size: number, x: number): number[] {
  const values = [1, x];
  for (let n = 1; n < size; n += 1) {
    values.push(((2 * n + 1) * x * (values[n] ?? 0) - n * (values[n - 1] ?? 0)) / (n + 1));
  }
  return values;
}

function slopeAt(size: number, x: number): number {
  const values = polynomialsAt(size, x);
  return (size * (x * (values[size] ?? 0) - (values[size - 1] ?? 0))) / (x * x - 1);
}

function at(values: readonly (readonly number[])[], row: number, column: number): number {
  return values[row]?.[column] ?? 0;
}

import { at, type Vector } from "./vector.ts";

/**
 * Quantile of the possible rank changes, in order of size, that is still no sign of noise: theta / 2 for the paper's
 * theta of 0.2.
 */
const HARMLESS_PART = 0.1;

/**
 * Measures by how much the rank changes of `indices` between two evaluations of a generation exceed the harmless ones:
 * above 0, noise decides. N. Hansen, A. Niederberger, L. Guzzella, P. Koumoutsakos, "A Method for Handling Uncertainty in
 * Evolutionary Optimization", IEEE Trans. Evol. Comput. 13(1), 2009, algorithm 2. `second` repeats `first` except at the
 * indices.
 */
export function rankChange(first: Vector, second: Vector, indices: readonly number[]): number {
  const lambda = first.length;
  const all = [...first, ...second];
  const order = all.map((_, i) => i).toSorted((a, b) => compareCosts(at(all, a), at(all, b)) || a - b);
  const ranks: number[] = [];
  for (const [rank, i] of order.entries()) ranks[i] = rank + 1;
  const limit = (rank: number) =>
    quantile(
      Array.from({ length: 2 * lambda - 1 }, (_, i) => Math.abs(i + 1 - rank)),
      HARMLESS_PART,
    );
  const excess = indices.map((i) => {
    const [before, after] = [at(ranks, i), at(ranks, lambda + i)];
    const change = Math.abs(after - before) - 1;
    return 2 * change - limit(after - Number(after > before)) - limit(before - Number(before > after));
  });
  return excess.reduce((total, value) => total + value, 0) / excess.length;
}

/** Returns the factor of the step size under noise, by which differences outgrow it. */
export function noiseFactor(n: number): number {
  return 1 + 2 / (n + 10);
}

/** Orders costs, infinite ones last. */
export function compareCosts(a: number, b: number): number {
  return a < b ? -1 : Number(a > b);
}

function quantile(values: Vector, part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = part * (sorted.length - 1);
  const below = Math.floor(position);
  const [low, high] = [at(sorted, below), at(sorted, Math.ceil(position))];
  return low + (position - below) * (high - low);
}

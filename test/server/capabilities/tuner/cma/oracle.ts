import { readFileSync } from "node:fs";

/** Reference values of CMA-ES from implementations of others, and of one in numpy made for them. */
export function loadOracle<T>(name: "bounds" | "constants" | "golden_trajectories" | "medians"): T {
  return JSON.parse(readFileSync(`test/fixtures/tuner/cma_${name}.json`, "utf8"));
}

export const FUNCTIONS: Readonly<Record<string, (x: readonly number[]) => number>> = {
  sphere: (x) => sum(x, (value) => value * value),
  ellipsoid: (x) => sum(x, (value, i) => Math.pow(10, (6 * i) / (x.length - 1)) * value * value),
  cigar: (x) => sum(x, (value, i) => (i === 0 ? 1 : 1e6) * value * value),
  rosenbrock: (x) =>
    sum(x.slice(0, -1), (value, i) => {
      const next = x[i + 1] ?? Number.NaN;
      return 100 * (value * value - next) * (value * value - next) + (value - 1) * (value - 1);
    }),
};

function sum(x: readonly number[], term: (value: number, i: number) => number): number {
  return x.reduce((total, value, i) => total + term(value, i), 0);
}

import { describe, expect, test } from "vitest";
import { cmaConstants } from "../../../../server/tuner/cma/constants.ts";
import { element, toSpectrum } from "../../../../server/tuner/cma/covariance.ts";
import { sample, startDistribution } from "../../../../server/tuner/cma/distribution.ts";
import { update } from "../../../../server/tuner/cma/update.ts";
import { loadOracle } from "./oracle.ts";

interface Trajectory {
  n: number;
  lam: number;
  sigma0: number;
  mean0: number[];
  active: boolean;
  c_mu: string;
  function: string;
  generations: {
    z: number[][];
    x: number[][];
    f: number[];
    after: { mean: number[]; sigma: number; p_sigma: number[]; p_c: number[]; C: number[][] };
  }[];
}

/** Greatest difference, relative where the values are above 1. */
function difference(actual: readonly number[], expected: readonly number[]): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(
    ...expected.map((value, i) => Math.abs((actual[i] ?? Number.NaN) - value) / Math.max(1, Math.abs(value))),
  );
}

describe("a generation", () => {
  test.each(loadOracle<Trajectory[]>("golden_trajectories"))(
    "goes the reference's way on $function, n = $n, active: $active, c_mu of $c_mu",
    ({ n, lam, sigma0, mean0, active, c_mu, generations }) => {
      const positive = active ? "active" : "positive";
      const constants = cmaConstants(n, lam, c_mu === "2016" ? positive : "active-quarter");
      let distribution = startDistribution(mean0, sigma0);
      for (const { z, x, f, after } of generations) {
        const spectrum = toSpectrum(distribution.covariance, n);
        const points = z.map((draw) => sample(distribution, spectrum, draw));
        expect(difference(points.flat(), x.flat())).toBeLessThan(1e-9);
        const order = f.map((_, i) => i).toSorted((a, b) => (f[a] ?? 0) - (f[b] ?? 0) || a - b);
        const ranked = order.map((i) => ({ x: points[i] ?? [], injected: false }));
        distribution = update(distribution, constants, spectrum, ranked);
        const { mean, sigma, sigmaPath, covariancePath, covariance } = distribution;
        const full = after.C.flatMap((row, i) => row.map((_, j) => element(covariance, n, i, j)));
        expect(difference([...mean, sigma], [...after.mean, after.sigma])).toBeLessThan(1e-9);
        expect(
          difference([...sigmaPath, ...covariancePath, ...full], [...after.p_sigma, ...after.p_c, ...after.C.flat()]),
        ).toBeLessThan(1e-9);
      }
    },
  );
});

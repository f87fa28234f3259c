import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cmaConstants } from "../../../../../server/capabilities/tuner/cma/constants.ts";
import { element, toSpectrum } from "../../../../../server/capabilities/tuner/cma/covariance.ts";
import {
  sample,
  startDistribution,
  type Distribution,
} from "../../../../../server/capabilities/tuner/cma/distribution.ts";
import { normalAt } from "../../../../../server/capabilities/tuner/normal.ts";
import { samplingGap, update } from "../../../../../server/capabilities/tuner/cma/update.ts";
import type { Objective } from "./drive.ts";
import { FUNCTIONS, loadOracle } from "./oracle.ts";

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

/** Some generations of `objective` from `mean`, each draw of normal numbers turned by `turn`. */
function evolve(
  objective: Objective,
  mean: readonly number[],
  turn: (z: readonly number[]) => number[] = (z) => [...z],
  sigma = 0.5,
): Distribution {
  const constants = cmaConstants(mean.length);
  let distribution = startDistribution(mean, sigma);
  for (let generation = 0; generation < 20; generation += 1) {
    const spectrum = toSpectrum(distribution.covariance, mean.length);
    const points = Array.from({ length: constants.lambda }, (_, k) => {
      const z = turn(mean.map((_value, i) => normalAt(`${generation}/${k}`, i)));
      const x = sample(distribution, spectrum, z);
      return { x, injected: false, cost: objective(x) };
    });
    const ranked = points.toSorted((a, b) => a.cost - b.cost);
    distribution = update(distribution, constants, spectrum, ranked);
  }
  return distribution;
}

describe("the adaptation", () => {
  const ellipsoid = FUNCTIONS.ellipsoid ?? (() => Number.NaN);
  const start = [0.5, -1, 2];
  const plain = evolve(ellipsoid, start);
  const offsets = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 3, maxLength: 3 });

  test("does not depend on where the origin is", () => {
    fc.assert(
      fc.property(offsets, (offset) => {
        const back = (x: readonly number[]) => x.map((value, i) => value - (offset[i] ?? 0));
        const moved = evolve(
          (x) => ellipsoid(back(x)),
          start.map((value, i) => value + (offset[i] ?? 0)),
        );
        expect(difference(back(moved.mean), plain.mean)).toBeLessThan(1e-8);
        expect(difference(moved.covariance, plain.covariance)).toBeLessThan(1e-8);
      }),
      { numRuns: 25 },
    );
  });

  test("does not depend on how the axes lie", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }), fc.constantFrom(0, 1, 2), (angle, fixed) => {
        const turned = (by: number) => (x: readonly number[]) => {
          const [i, j] = [(fixed + 1) % 3, (fixed + 2) % 3];
          const [a, b] = [x[i] ?? 0, x[j] ?? 0];
          return x.with(i, Math.cos(by) * a - Math.sin(by) * b).with(j, Math.sin(by) * a + Math.cos(by) * b);
        };
        const found = evolve((x) => ellipsoid(turned(-angle)(x)), turned(angle)(start), turned(angle));
        expect(difference(turned(-angle)(found.mean), plain.mean)).toBeLessThan(1e-8);
        expect(difference([found.sigma], [plain.sigma])).toBeLessThan(1e-8);
      }),
      { numRuns: 25 },
    );
  });

  test("does not depend on the unit of length", () => {
    fc.assert(
      fc.property(fc.integer({ min: -20, max: 20 }), (power) => {
        const unit = 2 ** power;
        const found = evolve(
          (x) => ellipsoid(x.map((value) => value / unit)),
          start.map((value) => value * unit),
          undefined,
          0.5 * unit,
        );
        expect(found.mean.map((value) => value / unit)).toEqual(plain.mean);
        expect(found.covariance).toEqual(plain.covariance);
      }),
    );
  });

  test("changes the step size by no more than a factor of e", () => {
    const far = [1, 2, 3, 4, 5, 6].map((i) => ({ x: [1e3 * i, 1e3], injected: false }));
    const { sigma } = update(startDistribution([0, 0], 1), cmaConstants(2), toSpectrum([1, 0, 1], 2), far);
    expect(sigma).toBeCloseTo(Math.E, 12);
  });

  test("samples from an older covariance for a while where little is learnt in a generation", () => {
    const n = 50;
    const constants = cmaConstants(n, 4);
    expect(samplingGap(n, constants)).toBe(2);
    const first = startDistribution(
      Array.from({ length: n }, () => 1),
      1,
    );
    const points = [0, 1, 2, 3].map((k) => ({
      x: sample(
        first,
        toSpectrum(first.covariance, n),
        first.mean.map((_, i) => normalAt(`gap/${k}`, i)),
      ),
      injected: false,
    }));
    const second = update(first, constants, toSpectrum(first.covariance, n), points);
    expect(second.lagging).toEqual(first.covariance);
    expect(update(second, constants, toSpectrum(first.covariance, n), points).lagging).toBeNull();
  });
});

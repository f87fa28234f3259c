import { describe, expect, test } from "vitest";
import {
  cmaConstants,
  defaultLambda,
  type CmaConvention,
} from "../../../../../server/capabilities/tuner/cma/constants.ts";
import { loadOracle } from "./oracle.ts";

interface Reference {
  n: number;
  lam: number;
  mu: number;
  mueff: number;
  c_sigma: number;
  d_sigma: number;
  c_c: number;
  c_1: number;
  c_mu: number;
  c_mu_tutorial2023: number;
  chiN: number;
  weights_active_2016: number[];
  weights_active_cmu2023: number[];
  weights_positive_only: number[];
}

const references = loadOracle<Reference[]>("constants");

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) {
    expect(Math.abs((actual[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(value)));
  }
}

describe("the constants of CMA-ES", () => {
  test.each(references)("are the tutorial's for n = $n, lambda = $lam", (reference) => {
    const { lambda, mu, muEff, cSigma, dSigma, cC, c1, cMu, chiN } = cmaConstants(reference.n, reference.lam);
    expect([lambda, mu]).toEqual([reference.lam, reference.mu]);
    expectClose(
      [muEff, cSigma, dSigma, cC, c1, cMu, chiN],
      [
        reference.mueff,
        reference.c_sigma,
        reference.d_sigma,
        reference.c_c,
        reference.c_1,
        reference.c_mu,
        reference.chiN,
      ],
    );
  });

  test.each(references)("have the reference's weights for n = $n, lambda = $lam", (reference) => {
    const weights = (convention: CmaConvention) => cmaConstants(reference.n, reference.lam, convention).weights;
    expectClose(weights("active"), reference.weights_active_2016);
    expectClose(weights("active-quarter"), reference.weights_active_cmu2023);
    expectClose(weights("positive").slice(0, reference.mu), reference.weights_positive_only);
    expect(
      weights("positive")
        .slice(reference.mu)
        .every((weight) => Math.abs(weight) === 0),
    ).toBe(true);
    expectClose([cmaConstants(reference.n, reference.lam, "active-quarter").cMu], [reference.c_mu_tutorial2023]);
  });

  test("take as many candidates by default as the tutorial", () => {
    expect([1, 2, 5, 10, 20, 40].map(defaultLambda)).toEqual([4, 6, 8, 10, 12, 15]);
  });
});

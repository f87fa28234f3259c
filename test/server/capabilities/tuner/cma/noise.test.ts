import { describe, expect, test } from "vitest";
import { ask } from "../../../../../server/capabilities/tuner/cma/ask.ts";
import { noiseFactor, rankChange } from "../../../../../server/capabilities/tuner/cma/noise.ts";
import { inject } from "../../../../../server/capabilities/tuner/cma/inject.ts";
import { closeGeneration, tell } from "../../../../../server/capabilities/tuner/cma/tell.ts";
import { normalAt } from "../../../../../server/capabilities/tuner/normal.ts";
import { drive, evaluate, floats, random, startSearch, toPoint, type Objective } from "./drive.ts";

const sphere: Objective = (x) => x.reduce((total, value) => total + (value - 0.3) * (value - 0.3), 0);

describe("noise", () => {
  test("is not seen where ranks stay", () => {
    const costs = [3, 1, 2, 5, 4, 6];
    expect(rankChange(costs, costs, [0, 1])).toBeLessThanOrEqual(0);
  });

  test("is seen where the best becomes the worst", () => {
    // Ranks 1 and 12 of 12: change 10, limits of both 1 with the 10th percentile of {|1-R|, ..., |11-R|} at R = 1 and 11.
    expect(rankChange([1, 2, 3, 4, 5, 6], [7, 2, 3, 4, 5, 6], [0])).toBe(2 * 10 - 1 - 1);
    expect(rankChange([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 0.5], [5])).toBe(2 * 10 - 1 - 1);
  });

  test("is measured by asking some candidates of a generation again, whose mean then counts", () => {
    const first = ask(startSearch({ reevaluate: 2 }), 100, random);
    const told = evaluate(first.search, first.candidates, sphere);
    const second = ask(told, 100, random);
    expect(second.candidates.map(({ id }) => id)).toEqual(["0.0.0r", "0.0.1r"]);
    expect(second.candidates.map(toPoint)).toEqual(first.candidates.slice(0, 2).map(toPoint));
    const quiet = evaluate(second.search, second.candidates, sphere);
    const noisy = evaluate(second.search, second.candidates, (x) => sphere(x) + 1);
    expect(quiet.run?.noise).toBeLessThanOrEqual(0);
    expect(noisy.run?.noise).toBeGreaterThan(0);
    expect([quiet.evaluations, quiet.run?.generation]).toEqual([8, 1]);
    const plain = evaluate(ask(startSearch(), 100, random).search, first.candidates, sphere);
    expect(quiet.run?.distribution).toEqual(plain.run?.distribution);
    const mean = evaluate(ask(startSearch(), 100, random).search, first.candidates, (x) =>
      first.candidates.slice(0, 2).some((candidate) => `${toPoint(candidate)}` === `${x}`)
        ? sphere(x) + 0.5
        : sphere(x),
    );
    const factor = (noisy.run?.distribution.sigma ?? 0) / (mean.run?.distribution.sigma ?? 1);
    expect(factor).toBeCloseTo(noiseFactor(2), 12);
    expect(noisy.run?.distribution.mean).toEqual(mean.run?.distribution.mean);
  });

  test("is not measured on failures, nor on points from outside", () => {
    const first = ask(inject(startSearch({ reevaluate: 2 }), { x0: 0.3, x1: 0.3 }, 0), 100, random);
    const [failed, ...others] = first.candidates;
    const told = evaluate(tell(first.search, failed?.id ?? "", { failed: true }), others, sphere);
    expect(ask(told, 100, random).candidates.map(({ id }) => id)).toEqual(["0.0.2r", "0.0.3r"]);
  });

  test("is not measured when a generation closes early", () => {
    const first = ask(startSearch({ reevaluate: 2 }), 100, random);
    const closed = closeGeneration(evaluate(first.search, first.candidates.slice(0, 4), sphere));
    expect([closed.run?.generation, closed.run?.noise]).toEqual([1, null]);
  });

  test("keeps the step size up", () => {
    const noisy = (reevaluate: number) => {
      let draws = 0;
      return drive(
        startSearch({ parameters: floats(4), reevaluate, limits: { maxGenerations: 120, tolX: 0, tolXStagnation: 0 } }),
        (x) => sphere(x) + 0.1 * normalAt("noise", (draws += 1)),
        ({ run }) => run?.generation === 119,
      ).run?.distribution.sigma;
    };
    expect(noisy(3)).toBeGreaterThan(3 * (noisy(0) ?? Number.NaN));
  });
});

import { describe, expect, test } from "vitest";
import { ask } from "../../../../../server/capabilities/tuner/cma/ask.ts";
import { startRun } from "../../../../../server/capabilities/tuner/cma/restarts.ts";
import { drive, floats, random, startSearch, type Objective } from "./drive.ts";

/** Many local minima, the least at 0.3. */
const rastrigin: Objective = (x) =>
  x.reduce((total, value) => {
    const at = 10 * (value - 0.3);
    return total + at * at + 10 - 10 * Math.cos(2 * Math.PI * at);
  }, 0);
const options = { parameters: floats(3), limits: { target: 1e-8, maxEvaluations: 40_000 } };

describe("restarts", () => {
  test("by IPOP double the population until the target is met", () => {
    const { finished, stopped, best } = drive(
      startSearch({ ...options, restarts: { mode: "ipop", factor: 2, max: 9 } }),
      rastrigin,
    );
    expect(finished.map(({ lambda }) => lambda)).toEqual(finished.map((_, i) => 7 * 2 ** i));
    expect(finished.map(({ regime }) => regime)).toEqual(["first", ...finished.slice(1).map(() => "large")]);
    expect(Object.keys(stopped ?? {})).toEqual(["target"]);
    expect(best?.value).toBeLessThanOrEqual(1e-8);
    expect(finished.length).toBeGreaterThan(1);
    expect(finished.filter(({ reasons }) => reasons.target !== undefined).length).toBe(1);
  });

  test("end after as many as are allowed, with the reasons of each run", () => {
    const search = drive(
      startSearch({ ...options, limits: { flatGenerations: 1 }, restarts: { mode: "ipop", factor: 3, max: 2 } }),
      () => 1,
    );
    expect(search.finished.map(({ lambda, reasons }) => [lambda, reasons])).toEqual([
      [7, { flatfitness: 2 }],
      [21, { flatfitness: 2 }],
      [63, { flatfitness: 2 }],
    ]);
    expect(search.stopped).toEqual({ flatfitness: 2 });
    expect(search.evaluations).toBe(2 * (7 + 21 + 63));
  });

  test("by BIPOP give small runs as many evaluations as large ones", () => {
    const { finished } = drive(
      startSearch({ ...options, limits: { maxEvaluations: 40_000 }, restarts: { mode: "bipop", factor: 2, max: 4 } }),
      rastrigin,
    );
    const of = (regime: string) => finished.filter((run) => run.regime === regime);
    expect(finished.slice(0, 2).map(({ regime }) => regime)).toEqual(["first", "large"]);
    expect(of("large").map(({ lambda }) => lambda)).toEqual([14, 28, 56, 112]);
    let [small, large] = [0, 0];
    for (const [i, { regime, evaluations, lambda }] of finished.entries()) {
      if (i > 0) expect(regime).toBe(small < large ? "small" : "large");
      if (regime === "large") large += evaluations;
      if (regime !== "small") continue;
      small += evaluations;
      const last = finished.slice(0, i).findLast((run) => run.regime === "large");
      expect(lambda).toBeGreaterThanOrEqual(7);
      expect(lambda).toBeLessThanOrEqual(Math.max(7, (last?.lambda ?? 0) / 2));
      expect(evaluations).toBeLessThan((last?.evaluations ?? 0) / 2 + lambda);
    }
    expect(of("small").length).toBeGreaterThan(2);
  });

  test("draw a small run's size and step from the last large one's", () => {
    const reasons = {};
    const run = { generations: 9, best: null, centre: {}, reasons };
    const finished = [
      { ...run, index: 0, regime: "first" as const, lambda: 7, evaluations: 500 },
      { ...run, index: 1, regime: "large" as const, lambda: 112, evaluations: 1_001 },
    ];
    const search = { ...startSearch({ ...options, restarts: { mode: "bipop", factor: 4, max: 4 } }), finished };
    const next = (draw: number) => startRun(search, { ...random, uniform: () => draw });
    // 7 * (112 / 2 / 7)^(1/4) = 11.8, and 0.25 * 0.01^(1/2)
    expect(next(0.5)).toMatchObject({ regime: "small", lambda: 11, maxEvaluations: 500, index: 2 });
    expect(next(0.5).sigma0).toBeCloseTo(0.025, 15);
    expect(next(0)).toMatchObject({ lambda: 7, sigma0: 0.25 });
  });

  test("begin elsewhere, and the best ever is kept", () => {
    const search = drive(startSearch({ ...options, restarts: { mode: "bipop", factor: 2, max: 1 } }), rastrigin);
    const bests = search.finished.map(({ best }) => best?.value ?? Number.NaN);
    expect(search.best?.value).toBe(Math.min(...bests));
    const started = ask(
      drive(
        startSearch({ ...options, restarts: { mode: "ipop", factor: 2, max: 1 } }),
        rastrigin,
        ({ run, finished }) => run === null && finished.length === 1,
      ),
      1,
      random,
    );
    expect(started.search.run).toMatchObject({ index: 1, lambda: 14, generation: 0 });
    expect(started.search.run?.distribution.mean).not.toEqual([0.5, 0.5, 0.5]);
  });

  test("do not follow when evaluations are used up, and a search that stopped is not asked", () => {
    const search = drive(
      startSearch({ ...options, limits: { maxEvaluations: 70 }, restarts: { mode: "ipop", factor: 2, max: 9 } }),
      rastrigin,
    );
    expect([search.finished.length, search.evaluations]).toEqual([1, 70]);
    expect(() => ask(search, 1, random)).toThrow("The search has stopped (`maxevaluations`)");
    expect(() => ask(startSearch(), 0, random)).toThrow("at least 1, not `0`");
  });
});

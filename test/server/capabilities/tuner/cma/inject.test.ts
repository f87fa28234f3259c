import { describe, expect, test } from "vitest";
import { ask } from "../../../../../server/capabilities/tuner/cma/ask.ts";
import { cmaConstants } from "../../../../../server/capabilities/tuner/cma/constants.ts";
import { toSpectrum } from "../../../../../server/capabilities/tuner/cma/covariance.ts";
import { startDistribution } from "../../../../../server/capabilities/tuner/cma/distribution.ts";
import { inject } from "../../../../../server/capabilities/tuner/cma/inject.ts";
import { update } from "../../../../../server/capabilities/tuner/cma/update.ts";
import { evaluate, random, startSearch, step, toPoint, type Objective } from "./drive.ts";

const sphere: Objective = (x) => x.reduce((total, value) => total + (value - 0.3) * (value - 0.3), 0);

describe("a point from outside", () => {
  test("is handed out in the next generation when its value is not known", () => {
    const asked = ask(inject(startSearch(), { x0: 0.25, x1: 0.97 }), 100, random);
    expect(toPoint(asked.candidates[0] ?? { values: {} })).toEqual([0.25, expect.closeTo(0.97, 12)]);
    expect(asked.candidates.length).toBe(6);
  });

  test("counts as told, and not as an evaluation, when it is", () => {
    const asked = ask(inject(startSearch(), { x0: 0.3, x1: 0.3 }, 0), 100, random);
    const { best, evaluations } = evaluate(asked.search, asked.candidates, sphere);
    expect(best).toMatchObject({ value: 0, id: "0.0.0" });
    expect(evaluations).toBe(5);
  });

  test("moves the mean towards itself", () => {
    const away = (search = startSearch()) => {
      const mean = step(search, sphere).run?.distribution.mean ?? [];
      return Math.hypot((mean[0] ?? 1) - 0.3, (mean[1] ?? 1) - 0.3);
    };
    expect(away(inject(startSearch(), { x0: 0.3, x1: 0.3 }, 0))).toBeLessThan(away());
  });

  test("has no more than a plausible step, however far it is", () => {
    const start = startDistribution([0, 0], 1);
    const constants = cmaConstants(2);
    const near = [1, 2, 3, 4, 5].map((i) => ({ x: [0.1 * i, 0.1], injected: false }));
    const moved = (distance: number) =>
      update(start, constants, toSpectrum(start.covariance, 2), [{ x: [distance, 0], injected: true }, ...near]);
    expect(moved(100)).toEqual(moved(50));
  });

  test("never weighs against its own direction", () => {
    const start = startDistribution([0, 0], 1);
    const others = [1, 2, 3, 4, 5].map((i) => ({ x: [0.2 * i, 0.1 * i], injected: false }));
    const variance = (injected: boolean) =>
      update(start, cmaConstants(2), toSpectrum(start.covariance, 2), [...others, { x: [0, 2], injected }])
        .covariance[2];
    expect(variance(true)).toBeGreaterThan(variance(false) ?? Number.NaN);
  });

  test("leaves room for drawn candidates", () => {
    const full = Array.from({ length: 10 }).reduce<ReturnType<typeof startSearch>>(
      (search) => inject(search, { x0: 0.3, x1: 0.3 }, 0),
      startSearch(),
    );
    const { search } = ask(full, 100, random);
    expect(search.open?.candidates.map(({ injected }) => injected)).toEqual([true, true, true, false, false, false]);
    expect(search.known.length).toBe(7);
  });

  test.each([
    [{ x0: 0.5 }, "`x1` is from `0` to `1`"],
    [{ x0: 0.5, x1: 2 }, "not `2`"],
    [{ x0: 0.5, x1: 0.5, y: 1 }, "no parameter `y`"],
  ])("is refused: %j", (values: Record<string, number>, problem) => {
    expect(() => inject(startSearch(), values)).toThrow(problem);
  });

  test("is refused with a value that is no number", () => {
    expect(() => inject(startSearch(), { x0: 0.5, x1: 0.5 }, Number.NaN)).toThrow("finite number");
  });
});

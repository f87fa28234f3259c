import { describe, expect, test } from "vitest";
import { toUnit } from "../../../../../server/capabilities/tuner/cma/bounds.ts";
import { centre, leastDeviations } from "../../../../../server/capabilities/tuner/cma/centring.ts";
import type { Point } from "../../../../../server/capabilities/tuner/cma/update.ts";
import { toValue, type CmaParameter } from "../../../../../server/capabilities/tuner/cma/parameter.ts";
import { deviations } from "../../../../../server/capabilities/tuner/cma/covariance.ts";
import type { CmaSearch } from "../../../../../server/capabilities/tuner/cma/search.ts";
import { uniformAt } from "../../../../../server/capabilities/tuner/uniform.ts";
import { drive, floats, startSearch } from "./drive.ts";

const integer: CmaParameter = { name: "k", low: 1, high: 10, scale: "linear", step: 1 };
const points = (...xs: number[]): Point[] => xs.map((x) => ({ x: [x, 0.123], injected: false }));
const parameters = [integer, ...floats(1)];

function deviationsOf({ run }: CmaSearch): number[] {
  return deviations(run?.distribution.covariance ?? [], 2).map((value) => value * (run?.distribution.sigma ?? 0));
}

describe("parameters with steps", () => {
  test("are centred where their value is not the mean's, and the bias is taken from the others", () => {
    // Cells are 0.1 wide: the mean's is [0.4, 0.5), so 0.51 goes to 0.55 and the others give 0.04 back.
    const centred = centre(parameters, [0.45, 0.5], points(0.51, 0.47, 0.48, 0.41));
    expect(centred.map(({ x }) => x[0])).toEqual(
      [0.55, 0.47 - 0.02 * 0.8, 0.48 - 0.03 * 0.8, 0.41].map((x) => expect.closeTo(x, 12)),
    );
    expect(centred.map(({ x }) => x[1])).toEqual([0.123, 0.123, 0.123, 0.123]);
  });

  test("keep their values when centred, mirrored and at the ends too", () => {
    const spread = points(-0.7, -0.2, -0.04, 0.02, 0.33, 0.61, 0.97, 1.04, 1.3, 2.6);
    const values = (all: readonly Point[]) => all.map(({ x }) => toValue(integer, toUnit(x[0] ?? 0)));
    const centred = centre(parameters, [0.62, 0.5], spread);
    expect(values(centred)).toEqual(values(spread));
    expect(centred.every(({ x }, i) => Math.abs((x[0] ?? 9) - (spread[i]?.x[0] ?? 0)) < 0.11)).toBe(true);
  });

  test("keep a deviation of a fifth of a step", () => {
    expect(leastDeviations(parameters, [0.45, 0.5])).toEqual([expect.closeTo(0.02, 12), 0]);
  });

  test("never get narrower than that in a search", () => {
    let least = 1;
    drive(
      startSearch({ parameters, limits: { maxGenerations: 60 } }),
      ([k = 0]) => (k - 5) * (k - 5),
      (search) => {
        if (search.run !== null) least = Math.min(least, ...deviationsOf(search).slice(0, 1));
        return false;
      },
    );
    expect(least).toBeCloseTo(0.02, 12);
  });

  test("never get wider than a third of their range", () => {
    let [greatest, draws] = [0, 0];
    drive(
      startSearch({ limits: { maxGenerations: 200 } }),
      () => uniformAt("noise", (draws += 1)),
      (search) => {
        if (search.run !== null) greatest = Math.max(greatest, ...deviationsOf(search));
        return false;
      },
    );
    expect(greatest).toBeCloseTo(1 / 3, 12);
  });

  test("are found together with parameters without", () => {
    const { best } = drive(
      startSearch({
        parameters: [integer, { name: "size", low: 1, high: 64, scale: "log", step: 1 }, ...floats(2)],
        limits: { target: 1e-9, maxEvaluations: 4_000 },
      }),
      ([k = 0, size = 0, x = 0, y = 0]) =>
        (k - 7) * (k - 7) + Math.abs(Math.log2(size / 12)) + (x - 0.2) * (x - 0.2) + (y - 0.9) * (y - 0.9),
    );
    expect(best?.value).toBeLessThanOrEqual(1e-9);
    expect(best?.values).toMatchObject({ k: 7, size: 12 });
  });
});

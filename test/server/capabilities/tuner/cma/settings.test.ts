import { describe, expect, test } from "vitest";
import { toSettings, type CmaOptions } from "../../../../../server/capabilities/tuner/cma/settings.ts";
import { floats } from "./drive.ts";

const options: CmaOptions = { seed: "s", parameters: floats(3, 0, 10) };

describe("settings", () => {
  test("start in the middle, a quarter of the range wide, with the default population", () => {
    expect(toSettings(options)).toMatchObject({
      start: [0.5, 0.5, 0.5],
      sigma0: 0.25,
      lambda: 7,
      convention: "active",
      direction: "minimize",
      restarts: { mode: "none" },
    });
    expect(toSettings({ ...options, start: { x1: 2 } }).start).toEqual([0.5, 0.2, 0.5]);
    const parameters = floats(1).map((parameter) => ({ ...parameter, name: "constructor" }));
    expect(toSettings({ ...options, parameters }).start).toEqual([0.5]);
  });

  test("allow more flat generations where there are steps", () => {
    const [first, ...others] = options.parameters;
    const parameters = first === undefined ? [] : [{ ...first, step: 1 }, ...others];
    expect(toSettings(options).limits.flatGenerations).toBe(1);
    expect(toSettings({ ...options, parameters }).limits.flatGenerations).toBe(60);
  });

  test.each<[string, Partial<CmaOptions>]>([
    ["1 to 100 parameters", { parameters: [] }],
    ["two are named `x0`", { parameters: [...floats(1), ...floats(1)] }],
    ["`start` names `y`", { start: { y: 1 } }],
    ["`start.x0` lies within", { start: { x0: 11 } }],
    ["`sigma0` is", { sigma0: 0.5 }],
    ["`lambda` is", { lambda: 3 }],
    ["`reevaluate` is", { reevaluate: 8 }],
    ["`restarts.factor`", { restarts: { mode: "ipop", factor: 1, max: 1 } }],
    ["`restarts.max`", { restarts: { mode: "ipop", factor: 2, max: 0.5 } }],
    ["`limits.tolX`", { limits: { tolX: -1 } }],
    ["`limits.target`", { limits: { target: Number.NaN } }],
    ["`limits.maxEvaluations`", { limits: { maxEvaluations: 0 } }],
  ])("are refused: %s", (problem, wrong) => {
    expect(() => toSettings({ ...options, ...wrong })).toThrow(problem);
  });
});

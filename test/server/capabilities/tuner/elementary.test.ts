import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exp, log } from "../../../../server/capabilities/tuner/elementary.ts";

function expectSame(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-15 * Math.abs(expected));
}

describe("elementary functions", () => {
  test("agree with the engine's", () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 709, noNaN: true }), (x) => {
        expectSame(exp(x), Math.exp(x));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true }), (x) => {
        expectSame(log(x), Math.log(x));
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (x) => {
        expectSame(log(x), Math.log(x));
      }),
    );
  });

  test("are exact at one and at the ends", () => {
    expect([exp(0), log(1), exp(710), exp(-746), log(0), log(Infinity)]).toEqual([
      1,
      0,
      Infinity,
      0,
      -Infinity,
      Infinity,
    ]);
    expect([log(-1), log(Number.NaN), exp(Number.NaN)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  test("are what all that enters a replayed state is computed with, and nothing that differs between machines", () => {
    const files = globSync([
      "server/capabilities/tuner/{cma,state,stopping}/*.ts",
      "server/capabilities/tuner/bandits/{bandit,reward-arm,scale-reward}.ts",
      "server/capabilities/tuner/{normal,uniform}.ts",
    ]);
    expect(files.length).toBeGreaterThan(40);
    const uses = files.flatMap((file) => [
      ...new Set(readFileSync(file, "utf8").match(/\bMath\.\w+|\bDate\b|(?<=\w|\)) \*\* |\blocaleCompare\b/g)),
    ]);
    expect([...new Set(uses)].sort()).toEqual([
      "Math.abs",
      "Math.ceil",
      "Math.floor",
      "Math.max",
      "Math.min",
      "Math.round",
      "Math.sqrt",
    ]);
  });
});

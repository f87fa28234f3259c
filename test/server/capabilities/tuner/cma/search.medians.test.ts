import { describe, expect, test } from "vitest";
import { median } from "../../../../../server/capabilities/tuner/cma/vector.ts";
import { drive, floats, startSearch, type Objective } from "./drive.ts";
import { FUNCTIONS, loadOracle } from "./oracle.ts";

const long = process.env.CAIRN_LONG === "1";
const SEEDS = long ? 25 : 9;
const SHORT = new Set(["sphere/5", "sphere/10", "ellipsoid/5", "rosenbrock/5"]);
/** Half the width of bounds so far off that the problems have none. */
const FAR = 1_000;

interface Medians {
  target: number;
  results: Record<string, Record<"ref" | "refpos", { median: number }>>;
}

const { target, results } = loadOracle<Medians>("medians");
const { corner } = loadOracle<{ corner: { 5: { pycma_BoundTransform: { max: number } } } }>("bounds");

/** The long version is run for its figures too. */
function report(line: string): void {
  if (long) process.stdout.write(`${line}\n`);
}

/** Evaluations until the target is met, the whole generation counted, in each of some runs. */
function countEvaluations(objective: Objective, options: Parameters<typeof startSearch>[0]): number[] {
  return Array.from({ length: SEEDS }, (_, seed) => {
    const { stopped, evaluations } = drive(startSearch({ ...options, seed: `median ${seed}` }), objective);
    expect(Object.keys(stopped ?? {})).toEqual(["target"]);
    return evaluations;
  });
}

function countOn(problem: string, convention: "active" | "positive"): number[] {
  const [name = "", dimensions] = problem.split("/");
  const parameters = floats(Number(dimensions), -FAR, FAR);
  const [start, sigma] = name === "rosenbrock" ? [0, 0.1] : [3, 2];
  return countEvaluations(FUNCTIONS[name] ?? (() => Number.NaN), {
    parameters,
    convention,
    start: Object.fromEntries(parameters.map((parameter) => [parameter.name, start])),
    sigma0: sigma / (2 * FAR),
    limits: { target },
  });
}

describe("a search needs as many evaluations as the reference, within a tenth, in the median", () => {
  test.each(Object.keys(results).filter((problem) => long || SHORT.has(problem)))(
    "on %s",
    { timeout: 300_000 },
    (problem) => {
      const expected = results[problem]?.ref.median ?? Number.NaN;
      const found = median(countOn(problem, "active"));
      report(`${problem}: ${found}, reference ${expected}`);
      expect(Math.abs(found / expected - 1)).toBeLessThan(0.1);
    },
  );

  test.runIf(long).each(Object.keys(results))("on %s with positive weights only", { timeout: 300_000 }, (problem) => {
    const expected = results[problem]?.refpos.median ?? Number.NaN;
    const found = median(countOn(problem, "positive"));
    report(`${problem}, positive weights: ${found}, reference ${expected}`);
    expect(Math.abs(found / expected - 1)).toBeLessThan(0.1);
  });
});

test("an optimum in a corner is found within pycma's most evaluations, in the median", () => {
  const evaluations = countEvaluations(
    (x) => x.reduce((total, value) => total + (value + 0.5) * (value + 0.5), 0) - 5 * 0.25,
    { parameters: floats(5), sigma0: 0.3, limits: { target: 1e-8 } },
  );
  report(`corner: median ${median(evaluations)}, most ${Math.max(...evaluations)}`);
  expect(median(evaluations)).toBeLessThanOrEqual(corner[5].pycma_BoundTransform.max);
});

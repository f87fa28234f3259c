/**
 * What a generation of CMA-ES costs in processor time, next to what it cannot do without: one eigendecomposition of a matrix
 * of the same size. `node bench/tuner-cma.ts`; absolute figures depend on the machine, ratios less so.
 */
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { ask } from "../server/capabilities/tuner/cma/ask.ts";
import { createSearch, type CmaSearch } from "../server/capabilities/tuner/cma/search.ts";
import { tell } from "../server/capabilities/tuner/cma/tell.ts";
import { element } from "../server/capabilities/tuner/cma/covariance.ts";
import { normalAt } from "../server/capabilities/tuner/normal.ts";
import { uniformAt } from "../server/capabilities/tuner/uniform.ts";

const ROUNDS = 5;
const GENERATIONS = 200;
const random = { uniform: uniformAt, normal: normalAt };

/** Microseconds of processor time a repetition, the best of some rounds. */
function measure(repeat: () => void, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let i = 0; i < times; i += 1) repeat();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}

const rows = [5, 10, 20, 50].map((n) => {
  const names = Array.from({ length: n }, (_, i) => `x${i}`);
  const start = createSearch({
    seed: "bench",
    parameters: names.map((name) => ({ name, low: 0, high: 1, scale: "linear" as const, step: null })),
  });
  const step = (search: CmaSearch) => {
    const asked = ask(search, 1_000, random);
    return asked.candidates.reduce((state, { id, values }) => {
      const value = names.reduce((sum, name, i) => sum + (1 + i) * ((values[name] ?? 0) - 0.3) ** 2, 0);
      return tell(state, id, { value });
    }, asked.search);
  };
  let search = start;
  for (let i = 0; i < 20; i += 1) search = step(search);
  const { run, settings } = search;
  const covariance = run?.distribution.covariance ?? [];
  const matrix = new Matrix(names.map((_, i) => names.map((_name, j) => element(covariance, n, i, j))));
  const iteration = measure(() => void step(search), GENERATIONS);
  const bare = measure(() => void new EigenvalueDecomposition(matrix, { assumeSymmetric: true }), GENERATIONS);
  const drawing = measure(() => names.forEach((_, i) => normalAt("bench", i)), GENERATIONS) * settings.lambda;
  return [n, settings.lambda, iteration, bare, iteration / bare, drawing].map((figure) =>
    Number(figure.toPrecision(3)),
  );
});
const titles = ["n", "lambda", "ask + tell, us", "eigendecomposition, us", "ratio", "of it random numbers, us"];
process.stdout.write(
  `${[titles, ...rows].map((row) => row.map((cell) => String(cell).padStart(24)).join("")).join("\n")}\n`,
);

import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";

/** Enough to see what is wrong with a file; explaining each, and finding its place, takes time. */
export const MAX_PROBLEMS = 50;

/** The first problems of one file, and whether there are more. */
export function limitProblems<Found>(
  found: readonly Found[],
  toProblem: (found: Found) => Problem,
): readonly Problem[] {
  const problems = found.slice(0, MAX_PROBLEMS).map(toProblem);
  const next = found[MAX_PROBLEMS];
  if (next === undefined) return problems;
  const { file, line, column } = toProblem(next);
  const fix = "Put those before right first.";
  return [...problems, createProblem(file, { line, column }, "too-many-problems", "More problems follow.", fix)];
}

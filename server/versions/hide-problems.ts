import type { Problem } from "./problem.ts";

/** Problem as shown to callers who may not know its tool: its existence and its kind. */
const HIDDEN = { file: "versions.yaml", line: 1, column: 1, message: "It is about a tool that needs capabilities." };

/** Problems as they are told to whoever holds what `holdsAll` says; those that come to the same are told once. */
export function hideProblems(
  problems: readonly Problem[],
  holdsAll: (capabilities: readonly string[]) => boolean,
): readonly Problem[] {
  const told = new Map<string, Problem>();
  for (const { needs = [], ...problem } of problems) {
    const shown = holdsAll(needs) ? problem : { ...HIDDEN, rule: problem.rule, fix: problem.fix };
    told.set(JSON.stringify(shown), shown);
  }
  return [...told.values()];
}

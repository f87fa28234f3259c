import type { ParameterSet } from "../versions/version.ts";
import type { Bench } from "./planners/directives/bench.ts";
import { setDefaults } from "./planners/directives/set-default.ts";

/** Makes values the defaults of their parameters. */
export async function commitValues(
  bench: Bench,
  set: ParameterSet,
  values: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const changed = [...set.parameters].flatMap(([name, { default: from }]) => {
    const to = values[name];
    return to === undefined || to === from ? [] : [[name, to] as const];
  });
  await setDefaults(bench, set, changed);
}

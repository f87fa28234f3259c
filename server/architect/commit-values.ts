import type { ParameterSet } from "../versions/version.ts";
import type { Bench } from "./planners/directives/bench.ts";
import { setDefault } from "./planners/directives/set-default.ts";

/** Makes values the defaults of their parameters. */
export async function commitValues(
  bench: Bench,
  set: ParameterSet,
  values: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  for (const [name, { default: from }] of set.parameters) {
    const to = values[name];
    if (to === undefined || to === from) continue;
    await setDefault(bench, set, name, to);
  }
}

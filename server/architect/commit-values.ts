import type { ParameterSet } from "../versions/version.ts";
import type { Bench } from "./directives/bench.ts";
import { showValue } from "./show-value.ts";

/** Makes values the defaults of their parameters. */
export async function commitValues(
  bench: Bench,
  set: ParameterSet,
  values: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  for (const [name, { default: from }] of set.parameters) {
    const to = values[name];
    if (to === undefined || to === from) continue;
    const isChanged = await bench.set(set.file, ["parameters", name, "default"], to);
    if (isChanged)
      bench.say(`The parameter \`${set.name}.${name}\` is ${showValue(to)} by default; it was ${showValue(from)}.`);
    bench.need("patch");
  }
}

import type { Json } from "../../../store/store.ts";
import type { ParameterSet } from "../../../versions/version.ts";
import { showValue } from "../../show-value.ts";
import type { Bench } from "./bench.ts";

/** Makes a value the default of a parameter. Arms that had the old one without saying so say it now, and so stay what they are. */
export async function setDefault(bench: Bench, set: ParameterSet, name: string, value: Json): Promise<void> {
  const from = set.parameters.get(name)?.default;
  const isChanged = await bench.set(set.file, ["parameters", name, "default"], value);
  if (!isChanged || from === undefined) return;
  bench.say(`The parameter \`${set.name}.${name}\` is ${showValue(value)} by default; it was ${showValue(from)}.`);
  bench.need("patch");
  const arms = await bench.find(set.file, ["experiment", "arms"]);
  for (const [arm, own] of Object.entries(arms ?? {})) {
    if (Object.hasOwn(own, name)) continue;
    await bench.adapt(set.file, { kind: "set", path: ["experiment", "arms", arm, name], value: from });
  }
}

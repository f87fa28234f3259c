import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../store/store.ts";
import type { ParameterSet } from "../../../versions/version.ts";
import { showValue } from "../../show-value.ts";
import type { Bench } from "./bench.ts";

/** The name of an arm that has all defaults. */
const DEFAULTS = "default";

/** Makes a value the default of a parameter. Arms that had the old one without saying so say it now, and so stay what they are. */
export async function setDefault(bench: Bench, set: ParameterSet, name: string, value: Json): Promise<void> {
  await setDefaults(bench, set, [[name, value]]);
}

/** Makes values the defaults of parameters, as above. An arm that has all of them only together is what the others are compared with. */
export async function setDefaults(
  bench: Bench,
  set: ParameterSet,
  values: readonly (readonly [name: string, value: Json])[],
): Promise<void> {
  const changed: boolean[] = [];
  for (const [name, value] of values) changed.push(await setOne(bench, set, name, value));
  if (changed.includes(true)) await keepComparison(bench, set);
}

/** Sets one default; tells whether that changed anything. */
async function setOne(bench: Bench, set: ParameterSet, name: string, value: Json): Promise<boolean> {
  const from = set.parameters.get(name)?.default;
  const isChanged = await bench.set(set.file, ["parameters", name, "default"], value);
  if (!isChanged || from === undefined) return false;
  bench.say(`The parameter \`${set.name}.${name}\` is ${showValue(value)} by default; it was ${showValue(from)}.`);
  bench.need("patch");
  const arms = await bench.find(set.file, ["experiment", "arms"]);
  const isOld = (arm: string) => arm !== DEFAULTS || set.experiment?.arms.some((one) => one.name === arm) === true;
  for (const [arm, own] of Object.entries(arms ?? {})) {
    // One that another default of this change has just added is to have all of them.
    if (Object.hasOwn(own, name) || !isOld(arm)) continue;
    await bench.adapt(set.file, { kind: "set", path: ["experiment", "arms", arm, name], value: from });
  }
  return true;
}

/** An experiment compares with an arm that has all defaults: adds one where none has them any more. */
async function keepComparison(bench: Bench, set: ParameterSet): Promise<void> {
  const arms = await bench.find(set.file, ["experiment", "arms"]);
  const parameters = await bench.find(set.file, ["parameters"]);
  if (!isObject(arms) || !isObject(parameters) || Object.hasOwn(arms, DEFAULTS)) return;
  const isUsual = (own: unknown) =>
    isObject(own) &&
    Object.entries(own).every(([name, value]) => {
      const parameter = parameters[name];
      return isObject(parameter) && isDeepStrictEqual(parameter["default"], value);
    });
  if (Object.values(arms).some(isUsual)) return;
  await bench.adapt(set.file, { kind: "set", path: ["experiment", "arms", DEFAULTS], value: {} });
  bench.say(`The experiment of \`${set.name}\` has the arm \`${DEFAULTS}\` to compare with.`);
}

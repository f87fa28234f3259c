import { isObject } from "../../../json/is-object.ts";
import type { Json } from "../../../store/store.ts";
import { findIn } from "../../edit/edit-json.ts";
import type { Bench } from "./bench.ts";
import type { Field } from "./find-field.ts";

/** Takes out the examples that name a field of the input, or its value, and returns how many; those of an output are no more true without it, too. */
export async function removeUses(bench: Bench, { tool, side, name }: Field, value?: Json): Promise<number> {
  const steps = name.split(".");
  const examples = await bench.find(tool.file, ["examples"]);
  const list: readonly Json[] = Array.isArray(examples) ? examples : [];
  const doomed = list.flatMap((example, at) => (isAbout(example) ? [at] : []));
  for (const at of doomed.toReversed()) await bench.adapt(tool.file, { kind: "remove", path: ["examples", at] });
  return doomed.length;

  function isAbout(example: Json): boolean {
    const found = findIn(example, [side, ...steps]);
    if (side === "output" && mentions(findIn(example, ["matches"]), steps)) return true;
    if (value === undefined) return found !== undefined;
    return found === value || (Array.isArray(found) && found.includes(value));
  }
}

/**
 * Takes out the examples of other tools that call a tool with a field, and of those that call it at all where it could not do
 * without. Returns the tools that have fewer examples now.
 */
export async function removeCalls(bench: Bench, { tool, name, required }: Field): Promise<readonly string[]> {
  const touched: string[] = [];
  for (const other of bench.ground.version.tools.values()) {
    if (other === tool) continue;
    const examples = await bench.find(other.file, ["examples"]);
    const list: readonly Json[] = Array.isArray(examples) ? examples : [];
    const doomed = list.flatMap((example, at) => {
      const text = JSON.stringify(example);
      return text.includes(JSON.stringify(tool.name)) && (required || text.includes(JSON.stringify(name))) ? [at] : [];
    });
    for (const at of doomed.toReversed()) await bench.adapt(other.file, { kind: "remove", path: ["examples", at] });
    if (doomed.length > 0) touched.push(other.name);
  }
  return touched;
}

/** Says how many examples of a tool went with a change: they are its tests, so nobody should miss that. */
export function sayGone(bench: Bench, tool: string, count: number): void {
  if (count > 0)
    bench.say(count === 1 ? `An example of \`${tool}\` goes with it.` : `${count} examples of \`${tool}\` go with it.`);
}

/** Checks that a schema declares the value at a path of names. */
function mentions(schema: unknown, [name = "", ...rest]: readonly string[]): boolean {
  if (!isObject(schema)) return false;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const inner = findIn(schema, ["properties", name]);
  if (rest.length === 0) return inner !== undefined || required.includes(name);
  return mentions(inner, rest);
}

import { isObject } from "../../../json/is-object.ts";
import { refuse } from "../../guard/refuse.ts";
import { findIn } from "../../edit/edit-json.ts";
import type { Bench } from "./bench.ts";
import { type Field, listFields } from "./find-field.ts";
import { modulesOf } from "./knows-value.ts";
import type { Deed } from "./phrase.ts";
import { renameInHandler } from "./rename-in-handler.ts";

/** Gives a field another name, in its schema and in the examples of its tool. Its handler follows where it only reads it; refuses otherwise. */
export function renameField(field: Field, name: string): Deed {
  const { tool, side, path, schema } = field;
  const old = String(path.at(-1));
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
    throw refuse("That is no name for a field.", "Use letters, digits and `_`.");
  const prefix = field.name.slice(0, field.name.length - old.length);
  if (listFields(tool, side).some((other) => other.name === prefix + name))
    throw refuse(`The ${side} of \`${tool.name}\` has a field \`${name}\` already.`, "Give it another name.");
  return async (bench) => {
    await renameInCode(bench, field, name);
    const value = await bench.find(tool.file, path);
    await bench.set(tool.file, [...path.slice(0, -1), name], value ?? ({ ...schema } as never));
    if (field.required) {
      const list = [...path.slice(0, -2), "required"];
      await bench.removeItem(tool.file, list, old);
      await bench.addItem(tool.file, list, name);
    }
    await bench.remove(tool.file, path);
    await renameInExamples(bench, field, name);
    bench.say(`\`${field.name}\` in the ${side} of \`${tool.name}\` is called \`${name}\`.`);
    bench.need("major");
  };
}

/** Has the handler read the field by its other name. */
async function renameInCode(bench: Bench, { tool, side, name: full, path }: Field, name: string): Promise<void> {
  const old = String(path.at(-1));
  const isRead = modulesOf(bench.ground.version, tool).some((code) => new RegExp(`\\b${old}\\b`).test(code));
  if (!isRead) return;
  const code = side === "input" && full === old ? await bench.read(tool.handler) : undefined;
  const renamed = code === undefined ? undefined : renameInHandler(code, old, name);
  if (renamed === undefined)
    throw refuse(
      `The code of \`${tool.name}\` (${tool.handler}) names \`${old}\`, so it has to change with the field.`,
      `Attach a unified diff that changes ${tool.file} and the code together.`,
    );
  if (renamed !== code) await bench.write(tool.handler, renamed);
}

async function renameInExamples(bench: Bench, { tool, side, name: full }: Field, name: string): Promise<void> {
  const steps = full.split(".");
  for (const at of tool.examples.keys()) {
    const above = ["examples", at, side, ...steps.slice(0, -1)];
    const parent = findIn((await bench.find(tool.file, [])) ?? null, above);
    const old = steps.at(-1) ?? "";
    if (!isObject(parent) || !Object.hasOwn(parent, old)) continue;
    await bench.set(tool.file, [...above, name], parent[old] as never);
    await bench.remove(tool.file, [...above, old]);
  }
}

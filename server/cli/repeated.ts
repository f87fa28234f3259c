import { parseArgs } from "node:util";

/** Every value of an option that may stand more than once; the parser of the commands keeps the last one only. */
export function readRepeated(rawArgs: readonly string[], name: string): readonly string[] {
  const { values } = parseArgs({
    args: [...rawArgs],
    options: { [name]: { type: "string", multiple: true } },
    strict: false,
    allowPositionals: true,
  });
  const found: unknown = values[name];
  return Array.isArray(found) ? found.filter((value) => typeof value === "string") : [];
}

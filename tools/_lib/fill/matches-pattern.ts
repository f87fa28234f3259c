import type { JsonSchema } from "../../../server/host-api.ts";

/** Characters of a value that is tried against a pattern. */
const LENGTH_LIMIT = 64;
/** A group that is repeated can take JavaScript's engine exponential time on the wrong word; "(...)?" cannot. */
const REPEATED_GROUP = /\)[+*{]/;

/** Whether `value` has the form that the schema's `pattern` asks for; `undefined` where that is for the server to find out. */
export function matchesPattern({ pattern }: JsonSchema, value: string): boolean | undefined {
  if (typeof pattern !== "string" || REPEATED_GROUP.test(pattern) || value.length > LENGTH_LIMIT) return undefined;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return undefined;
  }
}

import type { JsonSchema } from "../../../server/host-api.ts";

/** Characters of a value that is tried against a pattern. */
const LENGTH_LIMIT = 64;
/** A group that is repeated can take JavaScript's engine exponential time on the wrong word; "(...)?" cannot. */
const REPEATED_GROUP = /\)[+*{]/;

/** Checks that `value` has the form of the schema's `pattern`; `undefined` where only the server can decide. */
export function matchesPattern({ pattern }: JsonSchema, value: string): boolean | undefined {
  if (typeof pattern !== "string" || REPEATED_GROUP.test(pattern) || value.length > LENGTH_LIMIT) return undefined;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return undefined;
  }
}

import type { Side } from "../../../server/compat/compare-schemas.ts";
import { locate, toRoot } from "../../../server/compat/located.ts";
import { isObject } from "../../../server/is-object.ts";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";

/** A schema with the validator that guards tools. */
export function toSide(schema: unknown): Side {
  const place = locate(schema, toRoot(schema));
  if (isObject(schema)) return { place, check: compileSchema(schema) };
  return { place, check: () => (schema === true ? [] : [{ path: "", message: "nothing is allowed" }]) };
}

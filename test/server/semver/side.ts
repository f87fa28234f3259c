import type { Side } from "../../../server/semver/schemas/compare-schemas.ts";
import { toPlace } from "../../../server/semver/schemas/located.ts";
import { isObject } from "../../../server/json/is-object.ts";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";

/** A schema with the validator that guards tools. */
export function toSide(schema: unknown): Side {
  const place = toPlace(schema);
  if (isObject(schema)) return { place, check: compileSchema(schema) };
  return { place, check: () => (schema === true ? [] : [{ path: "", message: "nothing is allowed" }]) };
}

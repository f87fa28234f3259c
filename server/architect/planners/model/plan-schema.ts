import { readFileSync } from "node:fs";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";

/** schemas/architect-plan.schema.json: what a model submits. */
export const PLAN_SCHEMA: JsonSchema = Object.freeze(
  JSON.parse(
    readFileSync(new URL("../../../../schemas/architect-plan.schema.json", import.meta.url), "utf8"),
  ) as JsonSchema,
);

const KEPT: ReadonlySet<string> = new Set(["description", "type", "enum", "required", "items"]);

/**
 * Writes the schema as models are offered it, in the few keywords that all endpoints take: some refuse `$ref` and
 * `additionalProperties`, others make grammars of patterns and lengths that they then cannot read. Submissions are held to
 * the whole schema.
 */
export function toOfferedSchema(schema: JsonSchema = PLAN_SCHEMA): JsonSchema {
  const definitions = isObject(PLAN_SCHEMA["$defs"]) ? PLAN_SCHEMA["$defs"] : {};
  const { $ref: reference, properties, const: only, enum: values } = schema;
  const found = typeof reference === "string" ? definitions[reference.replace("#/$defs/", "")] : undefined;
  if (isObject(found)) return toOfferedSchema(found);
  const kept = Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (!KEPT.has(key)) return [];
    return [[key, key === "items" && isObject(value) ? toOfferedSchema(value) : value]];
  });
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(values) && { type: "string" }),
    ...(only === true && { type: "boolean" }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, isObject(value) ? toOfferedSchema(value) : {}]),
      ),
    }),
  };
}

import type { Json } from "../../../json/types.ts";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import { type SchemaNode, subschemas } from "../../../json/schema-keywords.ts";
import { createPlans, isDeclared, itemNodes, type Plan, type Plans, toMember, toPlan } from "./strip-plan.ts";

/** Depth of values; canonical JSON writes none that nest deeper. */
const DEPTH_LIMIT = 1000;

/** Keywords whose schemas are about a part of the value. */
const PARTS: ReadonlySet<string> = new Set(
  "additionalProperties contains items patternProperties prefixItems properties unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);

/**
 * Creates a function that drops what a schema does not declare: where `properties` or `patternProperties` name members and
 * nothing says what becomes of others, those go; where `additionalProperties` or `unevaluatedProperties` says so, or
 * nothing is named, all stay. Declared is what any schema names that may apply to the object: also through references,
 * in alternatives whether they match or not, and as `required`. Never changes its argument; for schemas that leave
 * nothing open, it is the identity.
 */
export function createStripUndeclared(written: JsonSchema): (value: Json) => Json {
  const schema = toLatestDraft(written);
  const plans = createPlans(schema);
  // A schema that strips together with others strips alone, too.
  return listPlaces(schema).some((node) => toPlan(plans, [node]).strips)
    ? (value) => strip(plans, value, toPlan(plans, [schema]), 0)
    : (value) => value;
}

function strip(plans: Plans, value: Json, plan: Plan, depth: number): Json {
  if (typeof value !== "object" || value === null || plan.nodes.length === 0 || depth > DEPTH_LIMIT) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) =>
      typeof item === "object" ? strip(plans, item, toPlan(plans, itemNodes(plan, index)), depth + 1) : item,
    );
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const members = Object.entries(value) as [string, Json][];
  const kept = members.flatMap(([name, member]): [string, Json][] => {
    if (plan.strips && !isDeclared(plan, name)) return [];
    return [[name, typeof member === "object" ? strip(plans, member, toMember(plans, plan, name), depth + 1) : member]];
  });
  const isSame = kept.length === members.length && kept.every(([, member], index) => member === members[index]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}

/** The schemas that are about a value of their own: the root, and those of members and items anywhere in it. */
function listPlaces(schema: SchemaNode): readonly unknown[] {
  const places: unknown[] = [schema];
  const todo: SchemaNode[] = [schema];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    for (const { keyword, schema: inner } of subschemas(node)) {
      if (PARTS.has(keyword)) places.push(inner);
      if (isObject(inner)) todo.push(inner);
    }
  }
  return places;
}

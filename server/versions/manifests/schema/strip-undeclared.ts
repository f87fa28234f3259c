import type { Json } from "../../../json/types.ts";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import { type SchemaNode, subschemas } from "../../../json/schema-keywords.ts";
import { createPlans, isDeclared, PARTS, type Plan, type Plans, toItem, toMember, toPlan } from "./strip-plan.ts";

/** Depth of values; canonical JSON writes none that nest deeper. */
const DEPTH_LIMIT = 1000;

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

/** Copies from the first part that changes on: most values have none, and copying costs more than looking. */
function strip(plans: Plans, value: Json, plan: Plan, depth: number): Json {
  if (typeof value !== "object" || value === null || plan.keepsAll || depth > DEPTH_LIMIT) return value;
  return Array.isArray(value)
    ? stripItems(plans, value, plan, depth + 1)
    : stripMembers(plans, value as { readonly [name: string]: Json }, plan, depth + 1);
}

function stripItems(plans: Plans, items: readonly Json[], plan: Plan, depth: number): Json {
  let copy: Json[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as Json;
    const kept = typeof item === "object" ? strip(plans, item, toItem(plans, plan, index), depth) : item;
    if (copy === undefined && kept !== item) copy = items.slice(0, index);
    copy?.push(kept);
  }
  return copy ?? items;
}

function stripMembers(plans: Plans, object: { readonly [name: string]: Json }, plan: Plan, depth: number): Json {
  let copy: [string, Json][] | undefined;
  let count = 0;
  for (const name in object) {
    const member = object[name] as Json;
    const isDropped = plan.strips && !isDeclared(plan, name);
    const kept =
      isDropped || typeof member !== "object" ? member : strip(plans, member, toMember(plans, plan, name), depth);
    if (copy === undefined && (isDropped || kept !== member)) copy = Object.entries(object).slice(0, count);
    if (!isDropped) copy?.push([name, kept]);
    count += 1;
  }
  return copy === undefined ? object : Object.fromEntries(copy);
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

import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import type { SchemaNode } from "../../../json/schema-keywords.ts";
import { listTargets, toTarget } from "../../../json/resolve-reference.ts";

/** Deeper parts of a value are left as they are. */
const MAX_DEPTH = 64;

/**
 * A function that fills in the `default` of each property that an object does not have: at the root, and inside
 * properties, items and local references. It never changes its argument; what needs no change is not copied.
 */
export function createDefaults(written: JsonSchema): (value: unknown) => unknown {
  const schema = toLatestDraft(written);
  const targets = listTargets(schema);
  const hasDefaults = [...targets.values()].some((node) => isObject(node) && "default" in node);
  return hasDefaults ? (value) => fill(value, schema, 0) : (value) => value;

  function fill(value: unknown, node: unknown, depth: number): unknown {
    if (!isObject(node) || typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
    const reference = node["$ref"];
    const referred = typeof reference === "string" ? fill(value, targets.get(toTarget(reference)), depth + 1) : value;
    if (Array.isArray(referred)) return fillItems(referred, node["items"], depth);
    return isObject(referred) ? fillProperties(referred, node["properties"], depth) : referred;
  }

  function fillItems(items: readonly unknown[], node: unknown, depth: number): readonly unknown[] {
    const filled = items.map((item) => fill(item, node, depth + 1));
    return filled.some((item, index) => item !== items[index]) ? filled : items;
  }

  function fillProperties(object: SchemaNode, properties: unknown, depth: number): SchemaNode {
    const changes: [string, unknown][] = [];
    for (const [name, node] of Object.entries(isObject(properties) ? properties : {})) {
      const old = Object.hasOwn(object, name) ? object[name] : isObject(node) ? node["default"] : undefined;
      if (old === undefined) continue;
      const filled = fill(old, node, depth + 1);
      if (filled !== object[name] || !Object.hasOwn(object, name)) changes.push([name, filled]);
    }
    return changes.length === 0 ? object : { ...object, ...Object.fromEntries(changes) };
  }
}

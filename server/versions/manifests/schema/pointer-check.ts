import { isObject } from "../../../json/is-object.ts";
import { IN_PLACE, subschemas } from "../../../json/schema-keywords.ts";
import { toLatestDraft } from "../../../json/schema-draft.ts";
import { readPointer } from "../../../json/pointer.ts";
import { listTargets, toTarget } from "../../../json/resolve-reference.ts";
import { createSafePattern } from "../../../json/safe-pattern.ts";

/** A function that tells whether a value of the schema can have something at a JSON Pointer that the schema speaks of. */
export function createPointerCheck(written: unknown): (pointer: string) => boolean {
  const root = toLatestDraft(written);
  const targets = listTargets(root);
  const patterns = new Map<string, ReturnType<typeof createSafePattern>>();
  return (pointer) => {
    let nodes = expand([root]);
    for (const step of readPointer(pointer)) nodes = expand(nodes.flatMap((node) => enter(node, step)));
    return nodes.length > 0;
  };

  /** With all schemas that apply to the same value. */
  function expand(start: readonly unknown[]): readonly unknown[] {
    const found = new Set(start);
    // A set that grows while it is walked is walked to its new end.
    for (const node of found) {
      if (!isObject(node)) continue;
      const reference = node["$ref"];
      if (typeof reference === "string") found.add(targets.get(toTarget(reference)));
      for (const { keyword, schema } of subschemas(node)) if (IN_PLACE.has(keyword)) found.add(schema);
    }
    found.delete(undefined);
    return [...found];
  }

  function enter(node: unknown, step: string): readonly unknown[] {
    if (!isObject(node)) return [];
    const { properties, patternProperties, additionalProperties, prefixItems, items } = node;
    const found: unknown[] = [];
    if (isObject(properties) && Object.hasOwn(properties, step)) found.push(properties[step]);
    if (isObject(patternProperties)) {
      for (const [pattern, inner] of Object.entries(patternProperties)) if (matches(pattern, step)) found.push(inner);
    }
    if (isObject(additionalProperties)) found.push(additionalProperties);
    if (/^(?:0|[1-9]\d*)$/.test(step)) {
      const first: unknown = Array.isArray(prefixItems) ? prefixItems[Number(step)] : undefined;
      if (first !== undefined || isObject(items)) found.push(first ?? items);
    }
    return found;
  }

  function matches(pattern: string, step: string): boolean {
    const compiled = patterns.get(pattern) ?? createSafePattern(pattern);
    patterns.set(pattern, compiled);
    return !("refused" in compiled) && compiled.test(step);
  }
}

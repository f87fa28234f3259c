import { isObject } from "../../../json/is-object.ts";
import type { Path } from "../yaml/locate.ts";
import { IN_PLACE, subschemas } from "../../../json/schema-keywords.ts";
import { readPointer } from "../../../json/pointer.ts";
import { toTarget } from "../../../json/resolve-reference.ts";

/**
 * A reference that leads back to the schema it stands in without going into the value, so that no check of it ends.
 * `targets` are all schemas inside one, by pointer.
 */
export function findLoop(targets: ReadonlyMap<string, unknown>): Path | undefined {
  const states = new Map<unknown, "open" | "done">();
  for (const [pointer, schema] of targets) {
    const loop = pointer.startsWith("#") ? undefined : search(schema, readPointer(pointer));
    if (loop) return loop;
  }
  return undefined;

  function search(schema: unknown, path: Path): Path | undefined {
    if (!isObject(schema) || states.get(schema) === "done") return undefined;
    if (states.get(schema) === "open") return path;
    states.set(schema, "open");
    const reference = schema["$ref"];
    let loop = typeof reference === "string" ? search(targets.get(toTarget(reference)), [...path, "$ref"]) : undefined;
    for (const { keyword, schema: inner, path: step } of subschemas(schema)) {
      if (IN_PLACE.has(keyword)) loop ??= search(inner, [...path, ...step]);
    }
    states.set(schema, "done");
    return loop;
  }
}

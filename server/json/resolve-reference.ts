import { isObject } from "./is-object.ts";
import { toPointer } from "./pointer.ts";
import { subschemas } from "./schema-keywords.ts";

/** The schemas inside `root` that `#...` can mean: by JSON Pointer (`` for the root) and by anchor (`#name`). */
export function listTargets(root: unknown): ReadonlyMap<string, unknown> {
  const targets = new Map<string, unknown>();
  visit(root, "");
  return targets;

  function visit(schema: unknown, pointer: string): void {
    targets.set(pointer, schema);
    if (!isObject(schema)) return;
    for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]]) {
      if (typeof anchor === "string") targets.set(`#${anchor}`, schema);
    }
    // In draft-07, an anchor is an `$id` that begins so.
    const id = schema["$id"];
    if (typeof id === "string" && id.startsWith("#")) targets.set(id, schema);
    for (const { schema: inner, path } of subschemas(schema)) visit(inner, pointer + toPointer(path));
  }
}

/** The key in `listTargets` that a local reference (`#`, `#/...`, `#name`) means. */
export function toTarget(reference: string): string {
  const fragment = decode(reference.slice(1));
  return fragment === "" || fragment.startsWith("/") ? fragment : `#${fragment}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all: the text stands for itself.
    return text;
  }
}

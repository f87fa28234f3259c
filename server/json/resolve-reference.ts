import { isObject } from "./is-object.ts";
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
    for (const { schema: inner, path } of subschemas(schema)) visit(inner, pointer + toPointer(path));
  }
}

/** The key in `listTargets` that a local reference (`#`, `#/...`, `#name`) means. */
export function toTarget(reference: string): string {
  const fragment = decode(reference.slice(1));
  return fragment === "" || fragment.startsWith("/") ? fragment : `#${fragment}`;
}

export function toPointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function readPointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded after all: the text stands for itself.
    return text;
  }
}

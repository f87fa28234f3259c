import { isObject } from "../../json/is-object.ts";
import type { Json } from "../../store/store.ts";
import type { Tool } from "../../versions/version.ts";
import { readPointer } from "../../json/pointer.ts";

const NONE: readonly string[] = Object.freeze([]);

/**
 * The texts and numbers at the places of `value` that the manifest says to redact, with all that is inside of them.
 * `true`, `false` and `null` say too little by themselves to be looked for.
 */
export function findRedactedValues(tool: Tool, value: unknown): readonly string[] {
  if (tool.redact.length === 0) return NONE;
  const found: string[] = [];
  const todo = tool.redact.map((pointer) => follow(value, pointer));
  for (let item = todo.pop(); todo.length > 0 || item !== undefined; item = todo.pop()) {
    if (typeof item === "string" || typeof item === "number") found.push(String(item));
    else if (typeof item === "object" && item !== null) for (const part of Object.values(item)) todo.push(part);
  }
  return found;
}

/** The value that a JSON Pointer (RFC 6901) leads to. */
function follow(value: unknown, pointer: string): Json | undefined {
  let at: unknown = value;
  for (const name of readPointer(pointer)) {
    at = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined;
  }
  return at as Json | undefined;
}

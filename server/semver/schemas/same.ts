import type { Json } from "../../json/types.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { SchemaObject } from "./located.ts";

/** A list so short is looked through faster than its texts are made. */
const SHORT = 4;

const keys = new WeakMap<readonly Json[], ReadonlySet<string>>();

export function isSame(one: Json | SchemaObject, other: Json | SchemaObject): boolean {
  if (one === other) return true;
  const areParts = typeof one === "object" && typeof other === "object";
  return areParts && canonicalJson(one) === canonicalJson(other);
}

/** Checks that the value, or one that is equal as JSON, is in the list. */
export function isAmong(list: readonly Json[], value: Json): boolean {
  if (list.length <= SHORT) return list.some((other) => isSame(other, value));
  const known = keys.get(list) ?? new Set(list.map((other) => canonicalJson(other)));
  keys.set(list, known);
  return known.has(canonicalJson(value));
}

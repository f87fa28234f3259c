import { canonicalJson } from "../canonical-json.ts";
import type { Json } from "../store/store.ts";

export function isSame(one: Json, other: Json): boolean {
  if (one === other) return true;
  const areParts = typeof one === "object" && typeof other === "object";
  return areParts && canonicalJson(one) === canonicalJson(other);
}

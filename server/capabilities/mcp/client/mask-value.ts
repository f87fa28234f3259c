import { MASK } from "../../../log/redact.ts";
import type { MaskSecrets } from "../../secrets/mask-secrets.ts";

/** Containers in one another that are looked into: more than a result may have, and far fewer than a stack can take. */
const DEPTH_LIMIT = 300;

/**
 * Creates the mask of a whole JSON value: every text in it, names of members and numbers included. It is read before it is
 * masked, because JSON can escape each character, and a mask of the text alone would find none of them.
 */
export function createValueMask(mask: MaskSecrets | undefined): <Value>(value: Value) => Value {
  if (mask === undefined) return (value) => value;
  return (value) => maskValue(value, mask, 0) as typeof value;
}

function maskValue(value: unknown, mask: MaskSecrets, depth: number): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") {
    const text = String(value);
    const masked = mask(text);
    return masked === text ? value : masked;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEPTH_LIMIT) return MASK;
  const inside = (inner: unknown) => maskValue(inner, mask, depth + 1);
  if (Array.isArray(value)) return value.map(inside);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mask(name), inside(inner)]));
}

import { canonicalJson } from "../canonical-json.ts";
import type { Json } from "../store/store.ts";
import type { ArrayShape, Bound, NumberShape, ObjectShape, Shape, StringShape } from "./shape.ts";

/** The values that have both shapes; undefined when no value has. */
export function intersect(one: Shape, other: Shape): Shape | undefined {
  const only = intersectLists(one.only, other.only);
  const common = {
    ...(only === undefined ? {} : { only }),
    except: one.except.length === 0 ? other.except : [...one.except, ...other.except],
    opaque: union(one.opaque, other.opaque),
  };
  if (only?.length === 0) return undefined;
  if (one.type === "number" && other.type === "number") return { ...intersectNumbers(one, other), ...common };
  if (one.type === "string" && other.type === "string") return { ...intersectStrings(one, other), ...common };
  if (one.type === "array" && other.type === "array") return { ...intersectArrays(one, other), ...common };
  if (one.type === "object" && other.type === "object") return { ...intersectObjects(one, other), ...common };
  return one.type === other.type ? { ...one, ...common } : undefined;
}

export function isSame(one: Json, other: Json): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** Whether a lower bound lets through less than another. */
export function isAbove(one: Bound, other: Bound): boolean {
  return one.at > other.at || (one.at === other.at && one.exclusive && !other.exclusive);
}

export function isBelow(one: Bound, other: Bound): boolean {
  return one.at < other.at || (one.at === other.at && one.exclusive && !other.exclusive);
}

function intersectLists(one: readonly Json[] | undefined, other: readonly Json[] | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((value) => other.some((same) => isSame(value, same)));
}

function intersectNumbers(one: NumberShape, other: NumberShape): NumberShape {
  return {
    ...one,
    integer: one.integer || other.integer,
    min: isAbove(other.min, one.min) ? other.min : one.min,
    max: isBelow(other.max, one.max) ? other.max : one.max,
    multiples: [...new Set([...one.multiples, ...other.multiples])],
  };
}

function intersectStrings(one: StringShape, other: StringShape): StringShape {
  return {
    ...one,
    minLength: Math.max(one.minLength, other.minLength),
    maxLength: Math.min(one.maxLength, other.maxLength),
    patterns: union(one.patterns, other.patterns),
    formats: union(one.formats, other.formats),
  };
}

function intersectArrays(one: ArrayShape, other: ArrayShape): ArrayShape {
  return {
    ...one,
    minItems: Math.max(one.minItems, other.minItems),
    maxItems: Math.min(one.maxItems, other.maxItems),
    unique: one.unique || other.unique,
    layers: [...one.layers, ...other.layers],
    contains: [...one.contains, ...other.contains],
  };
}

function intersectObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
  return {
    ...one,
    minProperties: Math.max(one.minProperties, other.minProperties),
    maxProperties: Math.min(one.maxProperties, other.maxProperties),
    required: union(one.required, other.required),
    layers: [...one.layers, ...other.layers],
    names: [...one.names, ...other.names],
  };
}

function union<Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): ReadonlySet<Value> {
  return one.size === 0 ? other : other.size === 0 ? one : one.union(other);
}

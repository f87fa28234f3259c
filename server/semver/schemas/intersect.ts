import type { Json } from "../../json/types.ts";
import { isAbove, isBelow } from "./bounds.ts";
import { holds } from "./holds.ts";
import { isNever } from "./located.ts";
import { memberOf } from "./parts.ts";
import { isAmong } from "./same.ts";
import { type ArrayShape, type NumberShape, type ObjectShape, type Shape, type StringShape, TOPS } from "./shape.ts";

/** The values that have both shapes; undefined when it is plain that no value has. */
export function intersect(one: Shape, other: Shape): Shape | undefined {
  if (one === TOPS[one.type]) return one.type === other.type ? other : undefined;
  if (other === TOPS[other.type]) return one.type === other.type ? one : undefined;
  const facets = intersectFacets(one, other);
  if (facets === undefined || isPlainlyEmpty(facets)) return undefined;
  const only = intersectLists(one.only, other.only);
  const except = one.except.length === 0 ? other.except : [...one.except, ...other.except];
  const shape: Shape = { ...facets, except, opaque: union(one.opaque, other.opaque) };
  return only === undefined ? shape : choose(only, shape);
}

/** Checks numbers of parts, and members that must be there and may not. */
function isPlainlyEmpty(shape: Shape): boolean {
  if (shape.type === "array") return shape.minItems > shape.maxItems;
  if (shape.type !== "object") return false;
  const { required, layers, minProperties, maxProperties } = shape;
  if (Math.max(minProperties, required.size) > maxProperties) return true;
  return layers.length > 0 && [...required].some((name) => isNever(memberOf(layers, name)));
}

/** The shape of those values; where it is sure of each whether it has the shape, of nothing else. */
function choose(values: readonly Json[], shape: Shape): Shape | undefined {
  const answers = values
    .filter((value) => !isAmong(shape.except, value))
    .map((value) => ({ value, answer: holds(value, shape) }))
    .filter(({ answer }) => answer !== false);
  if (answers.length === 0) return undefined;
  const only = answers.map(({ value }) => value);
  return answers.every(({ answer }) => answer === true) ? { ...TOPS[shape.type], only } : { ...shape, only };
}

function intersectFacets(one: Shape, other: Shape): Shape | undefined {
  if (one.type === "number" && other.type === "number") return intersectNumbers(one, other);
  if (one.type === "string" && other.type === "string") return intersectStrings(one, other);
  if (one.type === "array" && other.type === "array") return intersectArrays(one, other);
  if (one.type === "object" && other.type === "object") return intersectObjects(one, other);
  return one.type === other.type ? one : undefined;
}

function intersectLists(one: readonly Json[] | undefined, other: readonly Json[] | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((value) => isAmong(other, value));
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
    layers: together(one.layers, other.layers),
    contains: together(one.contains, other.contains),
  };
}

function intersectObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
  return {
    ...one,
    minProperties: Math.max(one.minProperties, other.minProperties),
    maxProperties: Math.min(one.maxProperties, other.maxProperties),
    required: union(one.required, other.required),
    layers: together(one.layers, other.layers),
    names: together(one.names, other.names),
  };
}

function union<Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): ReadonlySet<Value> {
  return one.size === 0 ? other : other.size === 0 ? one : one.union(other);
}

/** Joins constraints. References may lead to the same ones exponentially often. */
function together<Value>(one: readonly Value[], other: readonly Value[]): readonly Value[] {
  return one.length === 0 ? other : other.length === 0 ? one : [...new Set([...one, ...other])];
}

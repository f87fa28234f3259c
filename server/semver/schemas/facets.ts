import { isObject } from "../../json/is-object.ts";
import { findEvaluated } from "./unevaluated/evaluated.ts";
import { ANYTHING, type Conjunction, locate, type Located, type Root, type SchemaObject } from "./located.ts";
import {
  ALL_SHAPES,
  type ArrayShape,
  type NamePattern,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
  TOPS,
} from "./shape.ts";

/** Converts the keywords of each type, and `type` itself, to shapes. */
export function toFacets(schema: SchemaObject, located: Located): readonly Shape[] {
  const types = [schema["type"]].flat();
  const shapes: Shape[] = [
    TOPS.null,
    TOPS.boolean,
    toNumber(schema),
    toString(schema),
    toArray(schema, located),
    toObject(schema, located),
  ];
  const typed = schema["type"] === undefined ? shapes : shapes.flatMap((shape) => restrict(shape, types));
  const isPlain = typed.every((shape, index) => shape === ALL_SHAPES[index]) && typed.length === ALL_SHAPES.length;
  return isPlain ? ALL_SHAPES : typed;
}

/** The texts that a pattern of nothing but literals matches: `^(?:one|two)$`. */
export function findLiterals(pattern: string): readonly string[] | undefined {
  const [, alone, inside] = /^\^(?:([\w -]*)|\((?:\?:)?([\w -]*(?:\|[\w -]*)*)\))\$$/.exec(pattern) ?? [];
  return alone === undefined ? inside?.split("|") : [alone];
}

function restrict(shape: Shape, types: readonly unknown[]): readonly Shape[] {
  if (types.includes(shape.type)) return [shape];
  return shape.type === "number" && types.includes("integer") ? [{ ...shape, integer: true }] : [];
}

function has(schema: SchemaObject, keywords: string): boolean {
  return keywords.split(" ").some((keyword) => keyword in schema);
}

function toNumber(schema: SchemaObject): NumberShape {
  if (!has(schema, "minimum exclusiveMinimum maximum exclusiveMaximum multipleOf")) return TOPS.number;
  const [minimum, above] = [numberOf(schema, "minimum", -Infinity), numberOf(schema, "exclusiveMinimum", -Infinity)];
  const [maximum, below] = [numberOf(schema, "maximum", Infinity), numberOf(schema, "exclusiveMaximum", Infinity)];
  const multiple = schema["multipleOf"];
  return {
    ...TOPS.number,
    min: above >= minimum && above > -Infinity ? { at: above, exclusive: true } : { at: minimum, exclusive: false },
    max: below <= maximum && below < Infinity ? { at: below, exclusive: true } : { at: maximum, exclusive: false },
    multiples: typeof multiple === "number" ? [multiple] : [],
  };
}

function toString(schema: SchemaObject): StringShape {
  if (!has(schema, "minLength maxLength pattern format")) return TOPS.string;
  const { pattern, format } = schema;
  const literals = typeof pattern === "string" ? findLiterals(pattern) : undefined;
  return {
    ...TOPS.string,
    ...(literals === undefined ? {} : { only: [...new Set(literals)] }),
    minLength: numberOf(schema, "minLength", 0),
    maxLength: numberOf(schema, "maxLength", Infinity),
    patterns: new Set(typeof pattern === "string" && literals === undefined ? [pattern] : []),
    formats: new Set(typeof format === "string" ? [format] : []),
  };
}

function toArray(schema: SchemaObject, located: Located): ArrayShape {
  if (!has(schema, "prefixItems items unevaluatedItems minItems maxItems uniqueItems contains")) return TOPS.array;
  const at = (inner: unknown): Conjunction => [locate(inner, located.root)];
  const prefix = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].map(at) : [];
  const layers = prefix.length > 0 || "items" in schema ? [{ prefix, rest: restOf(schema, "items", at) }] : [];
  const unevaluated = schema["unevaluatedItems"] ?? true;
  const evaluated = unevaluated === true ? undefined : findEvaluated(located);
  if (evaluated !== undefined && evaluated.items < Infinity) {
    layers.push({ prefix: Array.from({ length: evaluated.items }, () => ANYTHING), rest: at(unevaluated) });
  }
  const [min, max] = [numberOf(schema, "minContains", 1), numberOf(schema, "maxContains", Infinity)];
  return {
    ...TOPS.array,
    minItems: numberOf(schema, "minItems", 0),
    maxItems: numberOf(schema, "maxItems", Infinity),
    unique: schema["uniqueItems"] === true,
    layers,
    contains: "contains" in schema && (min > 0 || max < Infinity) ? [{ what: at(schema["contains"]), min, max }] : [],
  };
}

const OBJECT_KEYWORDS =
  "properties patternProperties additionalProperties unevaluatedProperties required minProperties maxProperties propertyNames";

function toObject(schema: SchemaObject, located: Located): ObjectShape {
  if (!has(schema, OBJECT_KEYWORDS)) return TOPS.object;
  const { root } = located;
  const at = (inner: unknown): Conjunction => [locate(inner, root)];
  const own = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const matching = isObject(schema["patternProperties"]) ? Object.entries(schema["patternProperties"]) : [];
  const literals = matching.flatMap(([pattern, inner]) =>
    (findLiterals(pattern) ?? []).map((name) => [name, inner] as const),
  );
  const properties = new Map<string, Conjunction>();
  for (const [name, inner] of [...own, ...literals])
    properties.set(name, [...(properties.get(name) ?? []), ...at(inner)]);
  const others = matching.filter(([pattern]) => findLiterals(pattern) === undefined);
  const patterns = new Map(others.map(([pattern, inner]) => [pattern, toNamePattern(pattern, at(inner), root)]));
  const isLayered = properties.size > 0 || patterns.size > 0 || "additionalProperties" in schema;
  const layers = isLayered ? [{ properties, patterns, additional: restOf(schema, "additionalProperties", at) }] : [];
  const unevaluated = schema["unevaluatedProperties"] ?? true;
  const evaluated = unevaluated === true ? undefined : findEvaluated(located);
  if (evaluated !== undefined && !evaluated.hasAllMembers) {
    layers.push({
      properties: new Map(evaluated.names.map((name) => [name, ANYTHING])),
      patterns: new Map(evaluated.patterns.map((pattern) => [pattern, toNamePattern(pattern, ANYTHING, root)])),
      additional: at(unevaluated),
    });
  }
  const required = schema["required"];
  return {
    ...TOPS.object,
    minProperties: numberOf(schema, "minProperties", 0),
    maxProperties: numberOf(schema, "maxProperties", Infinity),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
    layers,
    names: "propertyNames" in schema ? [at(schema["propertyNames"])] : [],
  };
}

function restOf(schema: SchemaObject, keyword: string, at: (inner: unknown) => Conjunction): Conjunction {
  return keyword in schema ? at(schema[keyword]) : ANYTHING;
}

export function toNamePattern(pattern: string, what: Conjunction, { matches }: Root): NamePattern {
  return { what, matches: (name) => matches(pattern, name) };
}

function numberOf(schema: SchemaObject, keyword: string, absent: number): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : absent;
}

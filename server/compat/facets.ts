import { isObject } from "../is-object.ts";
import { type Conjunction, locate, type Located, type SchemaObject, toText } from "./located.ts";
import {
  ALL_SHAPES,
  type ArrayShape,
  type NumberShape,
  type ObjectShape,
  type Shape,
  type StringShape,
  TOPS,
} from "./shape.ts";

/** Keywords whose schemas apply to the same value, so that they decide what is "unevaluated". */
const IN_PLACE = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "not"];

/** What the keywords of one type each say, type by type, and `type` itself. */
export function toFacets(schema: SchemaObject, located: Located): readonly Shape[] {
  const { root } = located;
  const at = (inner: unknown): Conjunction => [locate(inner, root)];
  const types = [schema["type"]].flat();
  const shapes: Shape[] = [
    TOPS.null,
    TOPS.boolean,
    toNumber(schema),
    toString(schema),
    toArray(schema, at),
    toObject(schema, at),
  ];
  const typed = schema["type"] === undefined ? shapes : shapes.flatMap((shape) => restrict(shape, types));
  const isPlain = typed.every((shape, index) => shape === ALL_SHAPES[index]) && typed.length === ALL_SHAPES.length;
  return hasHidden(schema) ? withUnevaluated(typed, toText(located)) : isPlain ? ALL_SHAPES : typed;
}

/** Whether what is not evaluated elsewhere is restricted, and elsewhere is more than here. */
function hasHidden(schema: SchemaObject): boolean {
  const isRestricted = "unevaluatedProperties" in schema || "unevaluatedItems" in schema;
  return isRestricted && IN_PLACE.some((keyword) => keyword in schema);
}

function withUnevaluated(shapes: readonly Shape[], text: string): readonly Shape[] {
  return shapes.map((shape) =>
    shape.type === "object" || shape.type === "array" ? { ...shape, opaque: new Set([...shape.opaque, text]) } : shape,
  );
}

function restrict(shape: Shape, types: readonly unknown[]): readonly Shape[] {
  if (types.includes(shape.type)) return [shape];
  return shape.type === "number" && types.includes("integer") ? [{ ...shape, integer: true }] : [];
}

function toNumber(schema: SchemaObject): NumberShape {
  const [minimum, above] = [numberOf(schema, "minimum", -Infinity), numberOf(schema, "exclusiveMinimum", -Infinity)];
  const [maximum, below] = [numberOf(schema, "maximum", Infinity), numberOf(schema, "exclusiveMaximum", Infinity)];
  const multiple = schema["multipleOf"];
  const names = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"];
  if (!names.some((name) => name in schema)) return TOPS.number;
  return {
    ...TOPS.number,
    min: above >= minimum && above > -Infinity ? { at: above, exclusive: true } : { at: minimum, exclusive: false },
    max: below <= maximum && below < Infinity ? { at: below, exclusive: true } : { at: maximum, exclusive: false },
    multiples: typeof multiple === "number" ? [multiple] : [],
  };
}

function toString(schema: SchemaObject): StringShape {
  if (!["minLength", "maxLength", "pattern", "format"].some((name) => name in schema)) return TOPS.string;
  const { pattern, format } = schema;
  return {
    ...TOPS.string,
    minLength: numberOf(schema, "minLength", 0),
    maxLength: numberOf(schema, "maxLength", Infinity),
    patterns: new Set(typeof pattern === "string" ? [pattern] : []),
    formats: new Set(typeof format === "string" ? [format] : []),
  };
}

type At = (inner: unknown) => Conjunction;

function toArray(schema: SchemaObject, at: At): ArrayShape {
  const names = ["prefixItems", "items", "unevaluatedItems", "minItems", "maxItems", "uniqueItems", "contains"];
  if (!names.some((name) => name in schema)) return TOPS.array;
  const prefix = Array.isArray(schema["prefixItems"]) ? schema["prefixItems"].map(at) : [];
  const isClosable = !hasHidden(schema) && !("contains" in schema);
  const rest = "items" in schema ? schema["items"] : isClosable ? schema["unevaluatedItems"] : undefined;
  const isLayered = prefix.length > 0 || rest !== undefined;
  const [min, max] = [numberOf(schema, "minContains", 1), numberOf(schema, "maxContains", Infinity)];
  const hasContains = "contains" in schema && (min > 0 || max < Infinity);
  const isUnread = "unevaluatedItems" in schema && "contains" in schema && !("items" in schema);
  return {
    ...TOPS.array,
    minItems: numberOf(schema, "minItems", 0),
    maxItems: numberOf(schema, "maxItems", Infinity),
    unique: schema["uniqueItems"] === true,
    layers: isLayered ? [{ prefix, rest: rest === undefined ? [] : at(rest) }] : [],
    contains: hasContains ? [{ what: at(schema["contains"]), min, max }] : [],
    ...(isUnread ? { opaque: new Set([`unevaluated ${at(schema).map(toText).join("")}`]) } : {}),
  };
}

function toObject(schema: SchemaObject, at: At): ObjectShape {
  const names = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "required",
    "minProperties",
    "maxProperties",
    "propertyNames",
  ];
  if (!names.some((name) => name in schema)) return TOPS.object;
  const properties = toMap(schema["properties"], at);
  const patterns = toMap(schema["patternProperties"], at);
  const rest =
    "additionalProperties" in schema
      ? schema["additionalProperties"]
      : hasHidden(schema)
        ? undefined
        : schema["unevaluatedProperties"];
  const isLayered = properties.size > 0 || patterns.size > 0 || rest !== undefined;
  const required = schema["required"];
  return {
    ...TOPS.object,
    minProperties: numberOf(schema, "minProperties", 0),
    maxProperties: numberOf(schema, "maxProperties", Infinity),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
    layers: isLayered ? [{ properties, patterns, additional: rest === undefined ? [] : at(rest) }] : [],
    names: "propertyNames" in schema ? [at(schema["propertyNames"])] : [],
  };
}

function toMap(schemas: unknown, at: At): ReadonlyMap<string, Conjunction> {
  return new Map(isObject(schemas) ? Object.entries(schemas).map(([name, inner]) => [name, at(inner)]) : []);
}

function numberOf(schema: SchemaObject, keyword: string, absent: number): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : absent;
}

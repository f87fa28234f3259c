import { isObject } from "../is-object.ts";
import type { Json } from "../store/store.ts";
import { follow, isAnnotation, locate, type Located } from "./located.ts";
import { ALL_SHAPES, type Shape, TOPS, typeOf, TYPES } from "./shape.ts";
import { toShapes, withoutMember } from "./to-shapes.ts";

/** Parts into which a complement may fall. */
const PART_LIMIT = 64;

/** The values that a schema does not take; undefined where that cannot be said in shapes. */
export function complement({ schema, root }: Located, depth: number): readonly Shape[] | undefined {
  if (typeof schema === "boolean") return schema ? [] : ALL_SHAPES;
  const parts: Shape[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword) || keyword === "$defs" || keyword === "definitions") continue;
    const part = opposite(keyword, value, { schema, root }, depth);
    if (part === undefined || parts.length + part.length > PART_LIMIT) return undefined;
    parts.push(...part);
  }
  return parts;
}

function opposite(keyword: string, value: unknown, { root }: Located, depth: number): readonly Shape[] | undefined {
  const at = (inner: unknown) => locate(inner, root);
  switch (keyword) {
    case "type":
      return otherTypes([value].flat());
    case "const":
      return except([value as Json]);
    case "enum":
      return Array.isArray(value) ? except(value as Json[]) : undefined;
    case "minimum":
      return typeof value === "number" ? [{ ...TOPS.number, max: { at: value, exclusive: true } }] : undefined;
    case "exclusiveMinimum":
      return typeof value === "number" ? [{ ...TOPS.number, max: { at: value, exclusive: false } }] : undefined;
    case "maximum":
      return typeof value === "number" ? [{ ...TOPS.number, min: { at: value, exclusive: true } }] : undefined;
    case "exclusiveMaximum":
      return typeof value === "number" ? [{ ...TOPS.number, min: { at: value, exclusive: false } }] : undefined;
    case "minLength":
      return typeof value === "number" ? (value > 0 ? [{ ...TOPS.string, maxLength: value - 1 }] : []) : undefined;
    case "maxLength":
      return typeof value === "number" ? [{ ...TOPS.string, minLength: value + 1 }] : undefined;
    case "minItems":
      return typeof value === "number" ? (value > 0 ? [{ ...TOPS.array, maxItems: value - 1 }] : []) : undefined;
    case "maxItems":
      return typeof value === "number" ? [{ ...TOPS.array, minItems: value + 1 }] : undefined;
    case "minProperties":
      return typeof value === "number" ? (value > 0 ? [{ ...TOPS.object, maxProperties: value - 1 }] : []) : undefined;
    case "maxProperties":
      return typeof value === "number" ? [{ ...TOPS.object, minProperties: value + 1 }] : undefined;
    case "required":
      return Array.isArray(value) ? value.map((name) => withoutMember(String(name))) : undefined;
    case "properties":
      return isObject(value)
        ? Object.entries(value).flatMap(([name, inner]) => wrongMember(name, at(inner)))
        : undefined;
    case "not":
      return toShapes(at(value), depth);
    case "anyOf":
      return undefined;
    case "allOf": {
      const each = Array.isArray(value) ? value.map((inner) => complement(at(inner), depth)) : [undefined];
      return each.every((part) => part !== undefined) ? each.flat() : undefined;
    }
    case "$ref": {
      const target = typeof value === "string" ? follow(value, root) : undefined;
      return target === undefined || depth > 8 ? undefined : complement(target, depth + 1);
    }
    default:
      return undefined;
  }
}

/** Integers cannot be taken away from numbers in a shape. */
function otherTypes(types: readonly unknown[]): readonly Shape[] | undefined {
  if (types.includes("integer") && !types.includes("number")) return undefined;
  return TYPES.filter((type) => !types.includes(type)).map((type) => TOPS[type]);
}

function except(values: readonly Json[]): readonly Shape[] {
  return ALL_SHAPES.flatMap((shape): Shape[] => {
    const own = values.filter((value) => typeOf(value) === shape.type);
    if (own.length === 0) return [shape];
    if (shape.only === undefined) return [{ ...shape, except: own }];
    const left = shape.only.filter((value) => !own.includes(value));
    return left.length === 0 ? [] : [{ ...shape, only: left }];
  });
}

function wrongMember(name: string, inner: Located): readonly Shape[] {
  const wrong = [locate(negate(inner), inner.root)];
  const layer = { properties: new Map([[name, wrong]]), patterns: new Map(), additional: [] };
  return [{ ...TOPS.object, required: new Set([name]), layers: [layer] }];
}

const negations = new WeakMap<object, { readonly not: unknown }>();

/** Always the same object for the same schema, as what is known of schemas is kept by their identity. */
function negate({ schema }: Located): unknown {
  if (typeof schema === "boolean") return !schema;
  const known = negations.get(schema) ?? { not: schema };
  negations.set(schema, known);
  return known;
}

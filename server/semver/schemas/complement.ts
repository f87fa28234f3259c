import type { Json } from "../../json/types.ts";
import { isObject } from "../../json/is-object.ts";
import { toViolating } from "./unevaluated/to-unevaluated.ts";
import { findLiterals } from "./facets.ts";
import { intersect } from "./intersect.ts";
import { ANYTHING, follow, locate, type Located, negate, type SchemaObject } from "./located.ts";
import { isAmong } from "./same.ts";
import { allowsAll, isWithoutMeaning, toText } from "./schema-text.ts";
import {
  ALL_SHAPES,
  present,
  type Reader,
  type Shape,
  TOPS,
  type Type,
  typeOf,
  TYPES,
  withMember,
  withoutMember,
  withText,
} from "./shape.ts";
import { meet, SHAPE_LIMIT, unite } from "./unite.ts";

/** Alternatives of `oneOf` that are told apart by what each is without the others. */
export const ALTERNATIVE_LIMIT = 6;

/**
 * The values that a schema does not take: the union of what each keyword does not take. Where that cannot be said in
 * shapes, the opposite of the schema's text stands for it.
 */
export function complement(schema: SchemaObject, located: Located, reader: Reader): readonly Shape[] {
  const whole = `not ${toText(located)}`;
  const parts: Shape[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (isWithoutMeaning(keyword)) continue;
    const type = TYPE_OF[keyword];
    const part =
      oppositeOfValue(keyword, value) ??
      oppositeOfPart(keyword, value, schema, located) ??
      oppositeOfJunction(keyword, value, located, reader, schema) ??
      oppositeOfUnevaluated(keyword, located, reader);
    parts.push(...(part ?? withText(type === undefined ? ALL_SHAPES : [TOPS[type]], whole)));
    if (parts.length > SHAPE_LIMIT * 4) return withText(ALL_SHAPES, whole);
  }
  const united = unite(parts);
  return united.length > SHAPE_LIMIT ? withText(ALL_SHAPES, whole) : united;
}

const TYPE_OF: Readonly<Record<string, Type>> = {
  additionalProperties: "object",
  contains: "array",
  items: "array",
  patternProperties: "object",
  prefixItems: "array",
  propertyNames: "object",
  unevaluatedItems: "array",
  unevaluatedProperties: "object",
};

type Opposite = readonly Shape[] | undefined;

/** Keywords about a value without parts, and about how many parts there are. */
function oppositeOfValue(keyword: string, value: unknown): Opposite {
  if (keyword === "type") return otherTypes([value].flat());
  if (keyword === "const") return except([value as Json]);
  if (keyword === "enum" && Array.isArray(value)) return except(value as Json[]);
  if (keyword === "uniqueItems") return value === true ? named({ ...TOPS.array, minItems: 2 }, keyword, value) : [];
  if (typeof value === "string") {
    const literals = keyword === "pattern" ? findLiterals(value) : undefined;
    if (literals !== undefined) return [{ ...TOPS.string, except: literals }];
    return keyword === "pattern" || keyword === "format" ? named(TOPS.string, keyword, value) : undefined;
  }
  if (typeof value !== "number") return undefined;
  switch (keyword) {
    case "minimum":
      return [{ ...TOPS.number, max: { at: value, exclusive: true } }];
    case "exclusiveMinimum":
      return [{ ...TOPS.number, max: { at: value, exclusive: false } }];
    case "maximum":
      return [{ ...TOPS.number, min: { at: value, exclusive: true } }];
    case "exclusiveMaximum":
      return [{ ...TOPS.number, min: { at: value, exclusive: false } }];
    case "multipleOf":
      return named(TOPS.number, keyword, value);
    case "minLength":
      return value > 0 ? [{ ...TOPS.string, maxLength: value - 1 }] : [];
    case "maxLength":
      return [{ ...TOPS.string, minLength: value + 1 }];
    case "minItems":
      return value > 0 ? [{ ...TOPS.array, maxItems: value - 1 }] : [];
    case "maxItems":
      return [{ ...TOPS.array, minItems: value + 1 }];
    case "minProperties":
      return value > 0 ? [{ ...TOPS.object, maxProperties: value - 1 }] : [];
    case "maxProperties":
      return [{ ...TOPS.object, minProperties: value + 1 }];
    default:
      return undefined;
  }
}

/** Keywords about members and items. */
function oppositeOfPart(keyword: string, value: unknown, schema: SchemaObject, { root }: Located): Opposite {
  const opposite = (inner: unknown) => negate(locate(inner, root));
  switch (keyword) {
    case "required":
      return Array.isArray(value) ? value.map((name) => withoutMember(String(name))) : undefined;
    case "properties":
      return isObject(value)
        ? Object.entries(value).flatMap(([name, inner]) =>
            allowsAll(inner) ? [] : [withMember(name, [opposite(inner)], true)],
          )
        : undefined;
    case "dependentRequired":
      return isObject(value)
        ? Object.entries(value).flatMap(([name, needed]) =>
            [needed].flat().flatMap((other) => intersect(present(name), withoutMember(String(other))) ?? []),
          )
        : undefined;
    case "prefixItems":
      return Array.isArray(value)
        ? value.flatMap((inner, index) => {
            if (allowsAll(inner)) return [];
            const prefix = [...Array.from({ length: index }, () => ANYTHING), [opposite(inner)]];
            return [{ ...TOPS.array, minItems: index + 1, layers: [{ prefix, rest: ANYTHING }] }];
          })
        : undefined;
    case "items":
      if (value === true) return [];
      return "prefixItems" in schema
        ? undefined
        : [{ ...TOPS.array, contains: [{ what: [opposite(value)], min: 1, max: Infinity }] }];
    case "contains": {
      const { minContains: min = 1, maxContains: max = Infinity } = schema;
      const what = [locate(value, root)];
      const few = Number(min) > 0 ? [{ ...TOPS.array, contains: [{ what, min: 0, max: Number(min) - 1 }] }] : [];
      const none: Shape = { ...TOPS.array, layers: [{ prefix: [], rest: [opposite(value)] }] };
      const many = { ...TOPS.array, contains: [{ what, min: Number(max) + 1, max: Infinity }] };
      return [...(Number(min) === 1 ? [none] : few), ...(max === Infinity ? [] : [many])];
    }
    case "minContains":
    case "maxContains":
      return [];
    case "patternProperties":
      return isObject(value) && Object.values(value).every(allowsAll) ? [] : undefined;
    case "additionalProperties":
    case "propertyNames":
    case "unevaluatedItems":
    case "unevaluatedProperties":
      return value === true ? [] : undefined;
    default:
      return undefined;
  }
}

/** Keywords of schemas for the same value. */
function oppositeOfJunction(
  keyword: string,
  value: unknown,
  { root }: Located,
  { shapesOf, complementOf }: Reader,
  schema: SchemaObject,
): Opposite {
  const at = (inner: unknown) => locate(inner, root);
  switch (keyword) {
    case "not":
      return shapesOf(at(value));
    case "allOf":
      return Array.isArray(value) ? value.flatMap((inner) => complementOf(at(inner))) : undefined;
    case "anyOf":
      return Array.isArray(value)
        ? value.reduce<Opposite>(
            (shapes, inner) => shapes && meet(shapes, complementOf(at(inner)), intersect),
            ALL_SHAPES,
          )
        : undefined;
    case "oneOf":
      return Array.isArray(value) ? notExactlyOne(value.map(at), { shapesOf, complementOf }) : undefined;
    case "$ref": {
      const target = typeof value === "string" ? follow(value, root) : undefined;
      return target === undefined ? undefined : complementOf(target);
    }
    case "if": {
      const [condition, then, otherwise] = [at(value), at(schema["then"] ?? true), at(schema["else"] ?? true)];
      const one = meet(shapesOf(condition), complementOf(then), intersect);
      const other = meet(complementOf(condition), complementOf(otherwise), intersect);
      return one && other && [...one, ...other];
    }
    case "then":
    case "else":
      return [];
    case "dependentSchemas": {
      const each = Object.entries(isObject(value) ? value : {}).map(([name, inner]) =>
        meet([present(name)], complementOf(at(inner)), intersect),
      );
      return each.every((part) => part !== undefined) ? each.flat() : undefined;
    }
    default:
      return undefined;
  }
}

function oppositeOfUnevaluated(keyword: string, located: Located, reader: Reader): Opposite {
  if (keyword === "unevaluatedProperties") return toViolating(located, "object", reader);
  return keyword === "unevaluatedItems" ? toViolating(located, "array", reader) : undefined;
}

/** None, or two at least. */
function notExactlyOne(branches: readonly Located[], { shapesOf, complementOf }: Reader): Opposite {
  if (branches.length > ALTERNATIVE_LIMIT) return undefined;
  let none: Opposite = ALL_SHAPES;
  const two: Shape[] = [];
  for (const [index, branch] of branches.entries()) {
    none = none && meet(none, complementOf(branch), intersect);
    for (const other of branches.slice(index + 1)) {
      const both = meet(shapesOf(branch), shapesOf(other), intersect);
      if (both === undefined) return undefined;
      two.push(...both);
    }
  }
  return none && unite([...none, ...two]);
}

/** The opposite of one keyword that stands for itself. */
function named(shape: Shape, keyword: string, value: unknown): readonly Shape[] {
  return withText([shape], `not ${JSON.stringify({ [keyword]: value })}`);
}

function otherTypes(types: readonly unknown[]): readonly Shape[] {
  const others = TYPES.filter((type) => !types.includes(type));
  const isWhole = types.includes("integer") && !types.includes("number");
  return others.flatMap((type): readonly Shape[] =>
    type === "number" && isWhole ? named(TOPS.number, "type", "integer") : [TOPS[type]],
  );
}

function except(values: readonly Json[]): readonly Shape[] {
  return ALL_SHAPES.flatMap((shape): Shape[] => {
    const own = values.filter((value) => typeOf(value) === shape.type);
    if (own.length === 0) return [shape];
    if (shape.only === undefined) return [{ ...shape, except: own }];
    const left = shape.only.filter((value) => !isAmong(own, value));
    return left.length === 0 ? [] : [{ ...shape, only: left }];
  });
}

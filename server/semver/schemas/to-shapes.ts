import type { Json } from "../../json/types.ts";
import { isObject } from "../../json/is-object.ts";
import { ALTERNATIVE_LIMIT, complement } from "./complement.ts";
import { findEvaluated } from "./unevaluated/evaluated.ts";
import { toDecidingText, toUnevaluated } from "./unevaluated/to-unevaluated.ts";
import { toFacets } from "./facets.ts";
import { intersect } from "./intersect.ts";
import { isEmpty } from "./is-empty.ts";
import { type Conjunction, createMemory, follow, locate, type Located, negate, type SchemaObject } from "./located.ts";
import { allowsAll, toText } from "./schema-text.ts";
import { ALL_SHAPES, present, type Reader, type Shape, TOPS, typeOf, withoutMember, withText } from "./shape.ts";
import { meet, SHAPE_LIMIT, unite } from "./unite.ts";

/** Schemas that apply to one value through one another. */
const DEPTH_LIMIT = 40;
/** Pairs of shapes looked at to tell alternatives apart. */
const PAIR_LIMIT = 20_000;

const UNEVALUATED = [
  ["unevaluatedProperties", "object"],
  ["unevaluatedItems", "array"],
] as const;

const known = createMemory<readonly Shape[]>();

/** The union of shapes that a schema is. It is exact: what is not understood becomes a text that the shapes carry. */
export function toShapes(located: Located): readonly Shape[] {
  return read(located, 0);
}

/** The shapes of values that meet all the schemas. */
export function toShapesOfAll(conjunction: Conjunction): readonly Shape[] {
  return conjunction.reduce<readonly Shape[]>(
    (shapes, located) => narrow(shapes, toShapes(located), located),
    ALL_SHAPES,
  );
}

function read(located: Located, depth: number): readonly Shape[] {
  const { schema } = located;
  if (typeof schema === "boolean") return schema ? ALL_SHAPES : [];
  const cached = known.get(located);
  if (cached !== undefined) return cached;
  const whole = withText(ALL_SHAPES, toText(located));
  if (depth > DEPTH_LIMIT) return whole;
  // A schema that leads back to itself for the same value stands for itself there.
  known.set(located, whole);
  let shapes: readonly Shape[] = toFacets(schema, located);
  for (const factor of factorsOf(schema, located, depth + 1)) shapes = narrow(shapes, factor ?? whole, located);
  known.set(located, shapes);
  return shapes;
}

/** Their intersection; where it falls into too many parts, `shapes` with the text of `located` instead. */
function narrow(shapes: readonly Shape[], factor: readonly Shape[], located: Located): readonly Shape[] {
  return meet(shapes, factor, intersect) ?? withText(shapes, toText(located));
}

type Factor = readonly Shape[] | undefined;

/**
 * Lists the other schemas that apply to the value, beside the keywords of its type: each is a union of shapes, or not
 * understood.
 */
function factorsOf(schema: SchemaObject, located: Located, depth: number): readonly Factor[] {
  const { root } = located;
  const factors: Factor[] = [];
  const at = (inner: unknown) => locate(inner, root);
  const shapesOf = (inner: Located) => read(inner, depth);
  const reader: Reader = { shapesOf, complementOf: (inner) => read(negate(inner), depth) };

  if ("const" in schema) factors.push(toFinite([schema["const"] as Json]));
  if (Array.isArray(schema["enum"])) factors.push(toFinite(schema["enum"] as Json[]));
  if ("$dynamicRef" in schema) factors.push(undefined);
  if (typeof schema["$ref"] === "string") {
    const target = follow(schema["$ref"], root);
    factors.push(target && shapesOf(target));
  }
  if (Array.isArray(schema["allOf"])) factors.push(...schema["allOf"].map((inner) => shapesOf(at(inner))));
  if (Array.isArray(schema["anyOf"])) {
    const union = unite(schema["anyOf"].flatMap((inner) => shapesOf(at(inner))));
    factors.push(union.length > SHAPE_LIMIT ? undefined : union);
  }
  if (Array.isArray(schema["oneOf"])) factors.push(toOneOf(schema["oneOf"].map(at), reader));
  if ("not" in schema) factors.push(toOpposite(at(schema["not"]), reader));
  if ("if" in schema) {
    const [condition, then, otherwise] = [schema["if"], schema["then"] ?? true, schema["else"] ?? true].map(at);
    if (condition && then && otherwise) factors.push(toCondition(condition, then, otherwise, reader));
  }
  for (const [keyword, type] of UNEVALUATED) {
    if (allowsAll(schema[keyword] ?? true) || findEvaluated(located) !== undefined) continue;
    const others = ALL_SHAPES.filter((shape) => shape.type !== type);
    const exact = toUnevaluated(located, type, reader);
    factors.push(exact ?? [...others, ...withText([TOPS[type]], toDecidingText(located))]);
  }
  if (isObject(schema["dependentSchemas"])) {
    for (const [name, inner] of Object.entries(schema["dependentSchemas"])) {
      const dependent = meet([present(name)], shapesOf(at(inner)), intersect);
      factors.push(dependent && [...absent(name), ...dependent]);
    }
  }
  if (isObject(schema["dependentRequired"])) {
    for (const [name, names] of Object.entries(schema["dependentRequired"])) {
      const needed = Array.isArray(names) ? names.filter((item) => typeof item === "string") : [];
      factors.push([...absent(name), present(name, ...needed)]);
    }
  }
  return factors;
}

function toFinite(values: readonly Json[]): readonly Shape[] {
  return ALL_SHAPES.flatMap((shape) => {
    const only = values.filter((value) => typeOf(value) === shape.type);
    return only.length === 0 ? [] : [{ ...TOPS[shape.type], only }];
  });
}

function toOpposite(located: Located, reader: Reader): readonly Shape[] {
  const { schema } = located;
  if (typeof schema === "boolean") return schema ? [] : ALL_SHAPES;
  return complement(schema, located, reader);
}

/** Exactly one: the union where no two share a value, otherwise the union of what each is without the others. */
function toOneOf(branches: readonly Located[], reader: Reader): Factor {
  const each = branches.map(reader.shapesOf);
  const union = unite(each.flat());
  if (union.length > SHAPE_LIMIT) return undefined;
  if (areApart(each)) return union;
  if (branches.length > ALTERNATIVE_LIMIT) return undefined;
  const alone = branches.map((_, index) =>
    branches.reduce<Factor>(
      (shapes, other, place) =>
        shapes && (place === index ? shapes : meet(shapes, reader.complementOf(other), intersect)),
      each[index],
    ),
  );
  if (!alone.every((shapes) => shapes !== undefined)) return undefined;
  const all = unite(alone.flat());
  return all.length > SHAPE_LIMIT ? undefined : all;
}

function areApart(each: readonly (readonly Shape[])[]): boolean {
  let pairs = 0;
  return each.every((shapes, index) =>
    each.slice(index + 1).every((others) =>
      shapes.every((one) =>
        others.every((other) => {
          if (one.type !== other.type) return true;
          if (++pairs > PAIR_LIMIT) return false;
          const both = intersect(one, other);
          return both === undefined || isEmpty(both, isPlainlyVoid);
        }),
      ),
    ),
  );
}

/** Members that name their kind by a constant tell alternatives apart; their own shapes are not looked into here. */
function isPlainlyVoid(conjunction: Conjunction): boolean {
  const lists = conjunction.flatMap(({ schema }) => {
    if (typeof schema === "boolean") return [];
    if ("const" in schema) return [[schema["const"]]];
    return Array.isArray(schema["enum"]) ? [schema["enum"]] : [];
  });
  const [first = []] = lists;
  return (
    lists.length > 1 && !first.some((value) => typeof value === "object" || lists.every((list) => list.includes(value)))
  );
}

/** (if and then) or (not if and else). */
function toCondition(condition: Located, then: Located, otherwise: Located, reader: Reader): Factor {
  const one = meet(reader.shapesOf(condition), reader.shapesOf(then), intersect);
  const other = meet(reader.complementOf(condition), reader.shapesOf(otherwise), intersect);
  const both = one && other && unite([...one, ...other]);
  return both && both.length <= SHAPE_LIMIT ? both : undefined;
}

/** Everything that is no object with this member. */
function absent(name: string): readonly Shape[] {
  return ALL_SHAPES.map((shape) => (shape.type === "object" ? withoutMember(name) : shape));
}

import { isObject } from "../is-object.ts";
import type { Json } from "../store/store.ts";
import { complement } from "./complement.ts";
import { toFacets } from "./facets.ts";
import { intersect } from "./intersect.ts";
import { type Conjunction, follow, locate, type Located, type SchemaObject, toText } from "./located.ts";
import { ALL_SHAPES, type Shape, TOPS, typeOf } from "./shape.ts";

/** Shapes of one schema, beyond which a further distinction is kept as a text instead. */
const SHAPE_LIMIT = 64;
/** Schemas that apply to one value through one another. */
const DEPTH_LIMIT = 24;

const known = new WeakMap<object, readonly Shape[]>();

/** The union of shapes that a schema is. It is exact: what is not understood becomes a text that the shapes carry. */
export function toShapes(located: Located, depth = 0): readonly Shape[] {
  const { schema } = located;
  if (typeof schema === "boolean") return schema ? ALL_SHAPES : [];
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const shapes = read(schema, located, depth);
  // A part that was too deep for this way may be read whole on another.
  if (depth === 0) known.set(schema, shapes);
  return shapes;
}

/** The shapes of values that meet all the schemas. */
export function toShapesOfAll(conjunction: Conjunction): readonly Shape[] {
  return conjunction.reduce<readonly Shape[]>(
    (shapes, located) => narrow(shapes, toShapes(located), located),
    ALL_SHAPES,
  );
}

function read(schema: SchemaObject, located: Located, depth: number): readonly Shape[] {
  if (depth > DEPTH_LIMIT) return withText(ALL_SHAPES, toText(located));
  let shapes: readonly Shape[] = toFacets(schema, located);
  for (const factor of factorsOf(schema, located, depth + 1)) shapes = narrow(shapes, factor, located);
  return shapes;
}

/** Their intersection; where it falls into too many parts, `shapes` with the text of `located` instead. */
function narrow(shapes: readonly Shape[], factor: readonly Shape[], located: Located): readonly Shape[] {
  if (factor === ALL_SHAPES) return shapes;
  if (shapes === ALL_SHAPES) return factor;
  const result: Shape[] = [];
  for (const one of shapes) {
    for (const other of factor) {
      const both = intersect(one, other);
      if (both !== undefined) result.push(both);
      if (result.length > SHAPE_LIMIT) return withText(shapes, toText(located));
    }
  }
  return result;
}

export function withText(shapes: readonly Shape[], text: string): readonly Shape[] {
  return shapes.map((shape) => ({ ...shape, opaque: new Set([...shape.opaque, text]) }));
}

/** What applies to the same value besides the keywords of its type: each is a union of shapes. */
function factorsOf(schema: SchemaObject, located: Located, depth: number): readonly (readonly Shape[])[] {
  const { root } = located;
  const factors: (readonly Shape[])[] = [];
  const at = (inner: unknown) => locate(inner, root);
  const shapesOf = (inner: unknown) => toShapes(at(inner), depth);
  const unionOf = (branches: readonly unknown[]) => branches.flatMap(shapesOf);

  if ("const" in schema) factors.push(toFinite([schema["const"] as Json]));
  if (Array.isArray(schema["enum"])) factors.push(toFinite(schema["enum"] as Json[]));
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = schema[keyword];
    if (typeof reference !== "string") continue;
    const target = follow(reference, root);
    factors.push(target === undefined || keyword === "$dynamicRef" ? opaque(located) : toShapes(target, depth));
  }
  if (Array.isArray(schema["allOf"])) factors.push(...schema["allOf"].map(shapesOf));
  if (Array.isArray(schema["anyOf"])) factors.push(unionOf(schema["anyOf"]));
  if (Array.isArray(schema["oneOf"])) factors.push(toOneOf(schema["oneOf"], located, depth));
  if ("not" in schema) factors.push(complement(at(schema["not"]), depth) ?? opaque(located));
  if ("if" in schema) factors.push(...toConditions(schema, located, depth));
  if (isObject(schema["dependentSchemas"])) {
    for (const [name, inner] of Object.entries(schema["dependentSchemas"])) {
      factors.push([...absent(name), ...present(name).flatMap((shape) => meet([shape], shapesOf(inner)))]);
    }
  }
  if (isObject(schema["dependentRequired"])) {
    for (const [name, names] of Object.entries(schema["dependentRequired"])) {
      const needed = Array.isArray(names) ? names.filter((item) => typeof item === "string") : [];
      const both: Shape = { ...TOPS.object, required: new Set([name, ...needed]) };
      factors.push([...absent(name), both]);
    }
  }
  return factors;
}

function opaque(located: Located): readonly Shape[] {
  return withText(ALL_SHAPES, toText(located));
}

function toFinite(values: readonly Json[]): readonly Shape[] {
  return ALL_SHAPES.flatMap((shape) => {
    const only = values.filter((value) => typeOf(value) === shape.type);
    return only.length === 0 ? [] : [{ ...shape, only }];
  });
}

/** Exactly one branch: the union, where no two branches share a value; otherwise the union with a text. */
function toOneOf(branches: readonly unknown[], located: Located, depth: number): readonly Shape[] {
  const each = branches.map((branch) => toShapes(locate(branch, located.root), depth));
  const areApart = each.every((shapes, index) =>
    each.slice(index + 1).every((others) => meet(shapes, others).every(isPlainlyEmpty)),
  );
  return areApart ? each.flat() : withText(each.flat(), toText(located));
}

/** (if and then) or (not if and else); without a complement of the condition, their union with a text. */
function toConditions(schema: SchemaObject, located: Located, depth: number): readonly (readonly Shape[])[] {
  const at = (inner: unknown) => toShapes(locate(inner ?? true, located.root), depth);
  const condition = locate(schema["if"], located.root);
  const then = meet(toShapes(condition, depth), at(schema["then"]));
  const opposite = complement(condition, depth);
  if (opposite !== undefined) return [[...then, ...meet(opposite, at(schema["else"]))]];
  return [withText([...then, ...at(schema["else"])], toText(located))];
}

function meet(shapes: readonly Shape[], others: readonly Shape[]): readonly Shape[] {
  return shapes.flatMap((one) => others.flatMap((other) => intersect(one, other) ?? []));
}

/** Everything that is no object with this member. */
function absent(name: string): readonly Shape[] {
  return ALL_SHAPES.map((shape) => (shape.type === "object" ? withoutMember(name) : shape));
}

function present(name: string): readonly Shape[] {
  return [{ ...TOPS.object, required: new Set([name]) }];
}

export function withoutMember(name: string): Shape {
  const never = [{ schema: false, root: NO_ROOT }];
  return {
    ...TOPS.object,
    layers: [{ properties: new Map([[name, never]]), patterns: new Map(), additional: [] }],
  };
}

const NO_ROOT = { targets: new Map(), definitions: "" };

/** Without looking into members: enough to tell branches apart that name their kind by a constant. */
function isPlainlyEmpty(shape: Shape): boolean {
  if (shape.type === "number")
    return (
      shape.min.at > shape.max.at || (shape.min.at === shape.max.at && (shape.min.exclusive || shape.max.exclusive))
    );
  if (shape.type === "string") return shape.minLength > shape.maxLength;
  if (shape.type === "array") return shape.minItems > shape.maxItems;
  if (shape.type !== "object") return false;
  return [...shape.required].some((name) => {
    const values = shape.layers.map(({ properties }) => properties.get(name) ?? []);
    const finite = values.map((conjunction) => findConstants(conjunction)).filter((list) => list !== undefined);
    if (values.flat().some(({ schema }) => schema === false)) return true;
    return finite.length > 1 && !(finite[0] ?? []).some((value) => finite.every((list) => list.includes(value)));
  });
}

function findConstants(conjunction: Conjunction): readonly unknown[] | undefined {
  for (const { schema } of conjunction) {
    if (typeof schema === "boolean") continue;
    if ("const" in schema && typeof schema["const"] !== "object") return [schema["const"]];
    const list = schema["enum"];
    if (Array.isArray(list) && list.every((value) => typeof value !== "object")) return list;
  }
  return undefined;
}

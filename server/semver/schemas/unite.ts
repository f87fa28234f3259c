import type { Json } from "../../json/types.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import { ALL_SHAPES, type Shape, TOPS, TYPES } from "./shape.ts";

/** Shapes of one schema, beyond which a further distinction is kept as a text instead. */
export const SHAPE_LIMIT = 64;

/** Simplifies a union: removes shapes that are plainly part of another, and joins lists of values. */
export function unite(shapes: readonly Shape[]): readonly Shape[] {
  if (shapes === ALL_SHAPES) return shapes;
  const united = TYPES.flatMap((type): readonly Shape[] => {
    const same = shapes.filter((shape) => shape.type === type);
    if (same.some((shape) => shape === TOPS[type])) return [TOPS[type]];
    const lists = same.filter(isList);
    const values = withoutDoubles(lists.flatMap(({ only = [] }) => only));
    const list = values.length === 0 ? [] : [{ ...TOPS[type], only: values }];
    return [...list, ...new Set(same.filter((shape) => !isList(shape)))];
  });
  const isAll =
    united.length === ALL_SHAPES.length && united.every((shape, index) => isWhole(shape, ALL_SHAPES[index]));
  return isAll ? ALL_SHAPES : united;
}

function isWhole(shape: Shape, top: Shape | undefined): boolean {
  return shape === top || (shape.type === "boolean" && isList(shape) && shape.only?.length === 2) || isNull(shape);
}

function isNull(shape: Shape): boolean {
  return shape.type === "null" && isList(shape);
}

/** Checks that the shape is its list of values, and nothing else. */
function isList(shape: Shape): boolean {
  if (shape.only === undefined || shape.opaque.size > 0) return false;
  const top: Shape = TOPS[shape.type];
  return Object.entries(shape).every(([name, value]) => name === "only" || value === top[name as keyof Shape]);
}

function withoutDoubles(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}

/** The values that are in both unions; undefined when they fall into too many parts. */
export function meet(
  shapes: readonly Shape[],
  others: readonly Shape[],
  intersect: (one: Shape, other: Shape) => Shape | undefined,
): readonly Shape[] | undefined {
  if (others === ALL_SHAPES) return shapes;
  if (shapes === ALL_SHAPES) return others;
  const result: Shape[] = [];
  for (const one of shapes) {
    for (const other of others) {
      const both = one.type === other.type ? intersect(one, other) : undefined;
      if (both !== undefined) result.push(both);
      if (result.length > SHAPE_LIMIT) return undefined;
    }
  }
  return unite(result);
}

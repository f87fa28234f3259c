import { isMultiple } from "./evaluate.ts";
import { tighten } from "./include-number.ts";
import { itemAt } from "./include-array.ts";
import { memberOf } from "./include-object.ts";
import { type Conjunction, isNever } from "./located.ts";
import type { Shape } from "./shape.ts";
import { toShapesOfAll } from "./to-shapes.ts";

/** How far into required members it is looked for what cannot be. */
const DEPTH_LIMIT = 3;

/** Whether it is certain that no value has the shape. */
export function isEmpty(shape: Shape, depth = 0): boolean {
  if (shape.only?.length === 0) return true;
  switch (shape.type) {
    case "number": {
      const { min, max, multiples } = tighten(shape);
      if (min.at > max.at) return true;
      if (min.at < max.at) return false;
      return min.exclusive || max.exclusive || multiples.some((multiple) => isMultiple(min.at, multiple) === false);
    }
    case "string":
      return shape.minLength > shape.maxLength;
    case "array": {
      if (shape.minItems > shape.maxItems) return true;
      const needed = Math.min(shape.minItems, 1 + Math.max(0, ...shape.layers.map(({ prefix }) => prefix.length)));
      return Array.from({ length: needed }, (_, index) => itemAt(shape.layers, index)).some((item) =>
        isVoid(item, depth),
      );
    }
    case "object":
      if (shape.minProperties > shape.maxProperties || shape.required.size > shape.maxProperties) return true;
      return [...shape.required].some((name) => isVoid(memberOf(shape.layers, name), depth));
    default:
      return false;
  }
}

function isVoid(conjunction: Conjunction, depth: number): boolean {
  if (isNever(conjunction)) return true;
  return depth < DEPTH_LIMIT && toShapesOfAll(conjunction).every((shape) => isEmpty(shape, depth + 1));
}

import type { Json } from "../../json/types.ts";
import { tighten } from "./bounds.ts";
import { isNever } from "./located.ts";
import { memberOf, mostItems, namesOf, restOf } from "./parts.ts";
import type { ObjectShape, Shape } from "./shape.ts";

/** Values of a shape, beyond which telling them apart one by one is not worth it. */
const VALUE_LIMIT = 64;

/** A list that has every value of the shape in it, where those are few. */
export function listValues(shape: Shape): readonly Json[] | undefined {
  if (shape.only !== undefined) return shape.only;
  switch (shape.type) {
    case "number": {
      const { integer, min, max } = tighten(shape);
      if (!integer) return min.at === max.at ? [min.at] : undefined;
      if (!Number.isSafeInteger(min.at) || !(max.at - min.at < VALUE_LIMIT)) return undefined;
      return Array.from({ length: Math.max(0, max.at - min.at + 1) }, (_, index) => min.at + index);
    }
    case "string":
      return shape.maxLength === 0 ? [""] : undefined;
    case "array":
      return mostItems(shape) === 0 ? [[]] : undefined;
    case "object":
      return shape.maxProperties === 0 || possibleNames(shape)?.length === 0 ? [{}] : undefined;
    default:
      return undefined;
  }
}

/** The names that members can have, where others are not allowed. */
export function possibleNames({ layers, required }: ObjectShape): readonly string[] | undefined {
  const isClosed = isNever(restOf(layers, new Set())) && layers.every(({ patterns }) => patterns.size === 0);
  if (!isClosed) return undefined;
  return [...new Set([...namesOf(layers), ...required])].filter((name) => !isNever(memberOf(layers, name)));
}

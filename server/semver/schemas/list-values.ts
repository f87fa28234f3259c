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

/** Lists the names that members can have, where others are not allowed; undefined where any may be. */
export function possibleNames({ layers, required, names }: ObjectShape): readonly string[] | undefined {
  const isClosed = isNever(restOf(layers, new Set())) && layers.every(({ patterns }) => patterns.size === 0);
  const listed = names.flat().map(({ schema }) => {
    if (typeof schema === "boolean") return undefined;
    return Array.isArray(schema["enum"]) ? (schema["enum"] as readonly unknown[]) : undefined;
  });
  const list = listed.find((each) => each !== undefined);
  if (!isClosed && list === undefined) return undefined;
  const all = isClosed ? [...namesOf(layers), ...required] : (list ?? []).filter((name) => typeof name === "string");
  return [...new Set(all)].filter((name) => !isNever(memberOf(layers, name)));
}

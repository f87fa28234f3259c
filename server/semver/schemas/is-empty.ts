import { areMultiples, isMultiple, tighten } from "./bounds.ts";
import { evaluateAll } from "./evaluate.ts";
import { type Conjunction, isNever } from "./located.ts";
import { itemAt, leastItems, longestPrefix, memberOf, mostItems } from "./parts.ts";
import type { Shape } from "./shape.ts";

/** Items and members looked at. */
const PART_LIMIT = 50;

/** Checks that certainly no value has the shape; `isVoid` checks that certainly no value meets schemas. */
export function isEmpty(shape: Shape, isVoid: (conjunction: Conjunction) => boolean): boolean {
  if (shape.only?.length === 0 || contradictsItself(shape)) return true;
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
      const least = leastItems(shape);
      if (least > mostItems(shape) || shape.contains.some(({ min, max }) => min > max)) return true;
      const needed = Math.min(least, 1 + longestPrefix(...shape.layers), PART_LIMIT);
      const items = Array.from({ length: needed }, (_, index) => itemAt(shape.layers, index));
      return [...items, ...shape.contains.flatMap(({ what, min }) => (min > 0 ? [what] : []))].some(
        (item) => isNever(item) || isVoid(item),
      );
    }
    case "object":
      if (shape.minProperties > shape.maxProperties || shape.required.size > shape.maxProperties) return true;
      return [...shape.required].slice(0, PART_LIMIT).some((name) => {
        const member = memberOf(shape.layers, name);
        return isNever(member) || isVoid(member) || shape.names.some((names) => evaluateAll(name, names) === false);
      });
    default:
      return false;
  }
}

/** Checks that the shape has a constraint and its opposite. */
function contradictsItself(shape: Shape): boolean {
  for (const text of shape.opaque) {
    if (text.startsWith("not ") && shape.opaque.has(text.slice("not ".length))) return true;
  }
  if (shape.type === "number") {
    const { integer, multiples, opaque } = shape;
    if (integer && opaque.has(`not {"type":"integer"}`)) return true;
    return [...opaque].some((text) => {
      const of = Number(/^not \{"multipleOf":(.*)\}$/.exec(text)?.[1] ?? NaN);
      return multiples.some((own) => areMultiples(own, of)) || (integer && areMultiples(1, of));
    });
  }
  if (shape.type === "array") return shape.unique && shape.opaque.has(`not {"uniqueItems":true}`);
  if (shape.type !== "string") return false;
  const { patterns, formats, opaque } = shape;
  const has = (keyword: string, value: string) => opaque.has(`not ${JSON.stringify({ [keyword]: value })}`);
  return [...patterns].some((own) => has("pattern", own)) || [...formats].some((own) => has("format", own));
}

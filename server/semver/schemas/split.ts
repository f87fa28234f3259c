import { intersect } from "./intersect.ts";
import { listValues } from "./list-values.ts";
import { type Conjunction, locate, type Located } from "./located.ts";
import { memberOf, mostItems, namesOf } from "./parts.ts";
import type { ArrayShape, Bound, NumberShape, ObjectShape, Shape, StringShape } from "./shape.ts";
import { withMember, withoutMember } from "./shape.ts";
import { toShapesOfAll } from "./to-shapes.ts";

/** Values of a member, beyond which telling them apart one by one is not worth it. */
const VALUE_LIMIT = 32;

/** Divides a shape where others begin and end, so that each part may be covered by one of them; undefined where it cannot. */
export function split(shape: Shape, others: readonly Shape[]): readonly Shape[] | undefined {
  switch (shape.type) {
    case "number":
      return splitNumber(shape, others);
    case "string":
      return splitString(shape, others);
    case "array":
      return splitArray(shape, others);
    case "object":
      return splitObject(shape, others);
    default:
      return undefined;
  }
}

function splitNumber(shape: NumberShape, others: readonly Shape[]): readonly Shape[] | undefined {
  for (const other of others) {
    if (other.type !== "number") continue;
    // A part ends before a lower bound that takes its number in, and with an upper one that does.
    const cuts: Bound[] = [
      { at: other.min.at, exclusive: !other.min.exclusive },
      { at: other.max.at, exclusive: other.max.exclusive },
    ];
    for (const { at, exclusive } of cuts) {
      const isInside = at > shape.min.at && at < shape.max.at;
      const isAtStart = at === shape.min.at && !exclusive && !shape.min.exclusive && at < shape.max.at;
      const isAtEnd = at === shape.max.at && exclusive && !shape.max.exclusive && at > shape.min.at;
      if (!Number.isFinite(at) || !(isInside || isAtStart || isAtEnd)) continue;
      return [
        { ...shape, max: { at, exclusive } },
        { ...shape, min: { at, exclusive: !exclusive } },
      ];
    }
  }
  return undefined;
}

function splitString(shape: StringShape, others: readonly Shape[]): readonly Shape[] | undefined {
  for (const other of others) {
    if (other.type !== "string") continue;
    const cut = [other.minLength - 1, other.maxLength].find((at) => at >= shape.minLength && at < shape.maxLength);
    if (cut === undefined) continue;
    return [
      { ...shape, maxLength: cut },
      { ...shape, minLength: cut + 1 },
    ];
  }
  return undefined;
}

function splitArray(shape: ArrayShape, others: readonly Shape[]): readonly Shape[] | undefined {
  const most = mostItems(shape);
  for (const other of others) {
    if (other.type !== "array") continue;
    const cut = [other.minItems - 1, mostItems(other)].find((at) => at >= shape.minItems && at < most);
    if (cut === undefined) continue;
    return [
      { ...shape, maxItems: cut },
      { ...shape, minItems: cut + 1 },
    ];
  }
  return undefined;
}

/** By whether a member is there that one of the others asks for, then by the values of one that has few. */
function splitObject(shape: ObjectShape, others: readonly Shape[]): readonly Shape[] | undefined {
  for (const other of others) {
    if (other.type !== "object") continue;
    for (const name of [...other.required, ...namesOf(other.layers)]) {
      if (!shape.required.has(name) && !isKnownAbsent(shape, name)) {
        const without = intersect(shape, withoutMember(name));
        const withIt: Shape = { ...shape, required: new Set([...shape.required, name]) };
        return without === undefined ? [withIt] : [withIt, without];
      }
      const kinds = shape.required.has(name) ? kindsOf(memberOf(shape.layers, name)) : [];
      if (kinds.length < 2) continue;
      return kinds.flatMap((kind) => intersect(shape, withMember(name, [kind], true)) ?? []);
    }
  }
  return undefined;
}

function isKnownAbsent(shape: ObjectShape, name: string): boolean {
  return memberOf(shape.layers, name).some(({ schema }) => schema === false);
}

/** Schemas that every value of the conjunction has one of: its values, where those are few, or else its types. */
function kindsOf(conjunction: Conjunction): readonly Located[] {
  const [first] = conjunction;
  if (first === undefined) return [];
  const shapes = toShapesOfAll(conjunction);
  const lists = shapes.map(listValues);
  const values = lists.flatMap((list) => list ?? []);
  const isFinite = lists.every((list) => list !== undefined) && values.length <= VALUE_LIMIT;
  if (isFinite) return values.map((value) => locate({ const: value }, first.root));
  const types = [...new Set(shapes.map(({ type }) => type))];
  return types.map((type) => locate({ type }, first.root));
}

import { findConstantsOf } from "./constants.ts";
import { intersect } from "./intersect.ts";
import { memberOf } from "./include-object.ts";
import type { Bound, NumberShape, ObjectShape, Shape, StringShape } from "./shape.ts";
import { TOPS } from "./shape.ts";
import { withoutMember } from "./to-shapes.ts";

/** Divides a shape where others begin and end, so that each part may be covered by one of them; undefined where it cannot. */
export function split(shape: Shape, others: readonly Shape[]): readonly Shape[] | undefined {
  switch (shape.type) {
    case "number":
      return splitNumber(shape, others);
    case "string":
      return splitString(shape, others);
    case "object":
      return splitObject(shape, others);
    default:
      return undefined;
  }
}

function splitNumber(shape: NumberShape, others: readonly Shape[]): readonly Shape[] | undefined {
  for (const other of others) {
    if (other.type !== "number") continue;
    for (const { at, exclusive } of [other.min, other.max]) {
      if (at <= shape.min.at || at >= shape.max.at || !Number.isFinite(at)) continue;
      // Where a bound takes its own number in, the parts must meet beside it on the outside.
      const isLower = at === other.min.at;
      const lower: Bound = { at, exclusive: isLower !== exclusive };
      const upper: Bound = { at, exclusive: !lower.exclusive };
      return [
        { ...shape, max: lower },
        { ...shape, min: upper },
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

/** By whether a member is there that one of the others asks for, then by the values of one that has few. */
function splitObject(shape: ObjectShape, others: readonly Shape[]): readonly Shape[] | undefined {
  for (const other of others) {
    if (other.type !== "object") continue;
    for (const name of [...other.required, ...other.layers.flatMap(({ properties }) => [...properties.keys()])]) {
      if (!shape.required.has(name) && !isKnownAbsent(shape, name)) {
        const without = intersect(shape, withoutMember(name));
        const withIt: Shape = { ...shape, required: new Set([...shape.required, name]) };
        return without === undefined ? [withIt] : [withIt, without];
      }
      const constants = shape.required.has(name) ? findConstantsOf(memberOf(shape.layers, name)) : undefined;
      if (constants === undefined || constants.values.length < 2) continue;
      return constants.values.flatMap((value) => {
        const layer = {
          properties: new Map([[name, [{ schema: { const: value }, root: constants.root }]]]),
          patterns: new Map(),
          additional: [],
        };
        return intersect(shape, { ...TOPS.object, layers: [layer] }) ?? [];
      });
    }
  }
  return undefined;
}

function isKnownAbsent(shape: ObjectShape, name: string): boolean {
  return memberOf(shape.layers, name).some(({ schema }) => schema === false);
}

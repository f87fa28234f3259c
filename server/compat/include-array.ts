import { type Report, SILENT } from "./failure.ts";
import type { Include } from "./include.ts";
import { isNever, type Conjunction } from "./located.ts";
import type { ArrayLayer, ArrayShape, Contains } from "./shape.ts";

export function includesArray(
  shape: ArrayShape,
  other: ArrayShape,
  path: readonly string[],
  report: Report,
  include: Include,
): boolean {
  let ok = true;
  const fail = (rule: "length-narrowed" | "items-narrowed", message: string) => {
    ok = false;
    report(path, rule, message);
  };
  const most = mostItems(shape);
  if (other.minItems > shape.minItems) fail("length-narrowed", `at least ${other.minItems} items are needed now`);
  if (other.maxItems < most) fail("length-narrowed", `at most ${other.maxItems} items are allowed now`);
  if (other.unique && !shape.unique && most > 1) fail("items-narrowed", "items must all be different now");
  const length = Math.max(0, ...[...shape.layers, ...other.layers].map(({ prefix }) => prefix.length));
  for (let index = 0; index < Math.min(length, most); index++) {
    ok = include(itemAt(shape.layers, index), itemAt(other.layers, index), [...path, String(index)], report) && ok;
  }
  if (most > length) {
    ok = include(itemAt(shape.layers, length), itemAt(other.layers, length), [...path, "[]"], report) && ok;
  }
  for (const contains of other.contains) {
    if (!isContained(shape, contains, length, include)) fail("items-narrowed", "it must now contain certain items");
  }
  return ok;
}

/** What item `index` must be; from the longest prefix on that is what all further items must be. */
export function itemAt(layers: readonly ArrayLayer[], index: number): Conjunction {
  return layers.flatMap(({ prefix, rest }) => prefix[index] ?? rest);
}

/** The most items there can be: none stands where none is allowed. */
export function mostItems({ layers, maxItems }: ArrayShape): number {
  const length = Math.max(0, ...layers.map(({ prefix }) => prefix.length));
  for (let index = 0; index <= length && index < maxItems; index++) {
    if (isNever(itemAt(layers, index))) return index;
  }
  return maxItems;
}

function isContained(shape: ArrayShape, { what, min, max }: Contains, length: number, include: Include): boolean {
  const has = shape.contains.some(
    (own) =>
      own.min >= min &&
      include(own.what, what, [], SILENT) &&
      (max === Infinity || (own.max <= max && include(what, own.what, [], SILENT))),
  );
  if (has) return true;
  if (max !== Infinity && mostItems(shape) > max) return false;
  if (min === 0) return true;
  if (shape.minItems < min) return false;
  return Array.from({ length: length + 1 }, (_, index) => itemAt(shape.layers, index)).every((item) =>
    include(item, what, [], SILENT),
  );
}

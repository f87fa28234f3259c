import { type Include, type Report, SILENT } from "./include.ts";
import { itemAt, leastItems, longestPrefix, mostItems } from "./parts.ts";
import type { ArrayShape, Contains } from "./shape.ts";

/** Items at the beginning that are looked at one by one. */
const PREFIX_LIMIT = 100;

export function includesArray(
  shape: ArrayShape,
  other: ArrayShape,
  path: readonly string[],
  report: Report,
  include: Include,
): boolean {
  let ok = true;
  const fail: Report = (...failure) => {
    ok = false;
    report(...failure);
  };
  const [least, most] = [leastItems(shape), mostItems(shape)];
  if (other.minItems > least) fail(path, "length-narrowed", `must now have at least ${other.minItems} items`);
  if (other.maxItems < most) fail(path, "length-narrowed", `must now have at most ${other.maxItems} items`);
  if (other.unique && !shape.unique && most > 1) fail(path, "items-narrowed", "must now have items that all differ");
  const length = longestPrefix(...shape.layers, ...other.layers);
  if (length > PREFIX_LIMIT) {
    fail(path, "condition-unproven", "has too many kinds of items to be compared");
    return false;
  }
  for (let index = 0; index < Math.min(length, most); index++) {
    ok = include(itemAt(shape.layers, index), itemAt(other.layers, index), [...path, String(index)], report) && ok;
  }
  if (most > length) {
    ok = include(itemAt(shape.layers, length), itemAt(other.layers, length), [...path, "[]"], report) && ok;
  }
  for (const contains of other.contains) {
    if (!isContained(shape, contains, length, include)) {
      const { min, max } = contains;
      const count = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
      fail(path, "items-narrowed", `must now contain ${count} of certain items`);
    }
  }
  return ok;
}

function isContained(shape: ArrayShape, { what, min, max }: Contains, length: number, include: Include): boolean {
  const isEnough =
    min === 0 ||
    shape.contains.some((own) => own.min >= min && include(own.what, what, [], SILENT)) ||
    (shape.minItems >= min &&
      Array.from({ length: length + 1 }, (_, index) => itemAt(shape.layers, index)).every((item) =>
        include(item, what, [], SILENT),
      ));
  const isFew =
    max === Infinity ||
    mostItems(shape) <= max ||
    shape.contains.some((own) => own.max <= max && include(what, own.what, [], SILENT));
  return isEnough && isFew;
}

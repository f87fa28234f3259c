import type { Json } from "../../json/types.ts";
import { createOutcome, type Include, type Report, SILENT } from "./include.ts";
import { NEVER } from "./located.ts";
import { itemAt, leastItems, longestPrefix, mostItems } from "./parts.ts";
import type { ArrayShape, Contains } from "./shape.ts";
import { countOf } from "./show.ts";

/** Items at the beginning that are looked at one by one. */
const PREFIX_LIMIT = 100;

export function includesArray(
  shape: ArrayShape,
  other: ArrayShape,
  path: readonly string[],
  report: Report,
  include: Include,
): boolean {
  const outcome = createOutcome(report);
  const { fail } = outcome;
  const [least, most] = [leastItems(shape), mostItems(shape)];
  const { minItems, maxItems } = other;
  const hasLength = (isWrong: (length: number) => boolean) => (value: Json) =>
    Array.isArray(value) && isWrong(value.length);
  if (minItems > least) {
    const phrase = `must now have at least ${countOf(minItems, "item")}`;
    fail(
      path,
      "length-narrowed",
      phrase,
      hasLength((count) => count < minItems),
    );
  }
  if (maxItems < most) {
    const phrase = `must now have at most ${countOf(maxItems, "item")}`;
    fail(
      path,
      "length-narrowed",
      phrase,
      hasLength((count) => count > maxItems),
    );
  }
  if (other.unique && !shape.unique && most > 1) fail(path, "items-narrowed", "must now have items that all differ");
  const length = longestPrefix(...shape.layers, ...other.layers);
  if (length > PREFIX_LIMIT) {
    fail(path, "condition-unproven", "has too many kinds of items to be compared");
    return false;
  }
  for (let index = 0; index < Math.min(length, most); index++) {
    outcome.holds =
      include(itemAt(shape.layers, index), itemAt(other.layers, index), [...path, String(index)], report) &&
      outcome.holds;
  }
  if (most > length) {
    outcome.holds =
      include(itemAt(shape.layers, length), itemAt(other.layers, length), [...path, "[]"], report) && outcome.holds;
  }
  for (const contains of other.contains) {
    if (!isContained(shape, contains, length, include)) {
      const { min, max } = contains;
      const count = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
      fail(path, "items-narrowed", `must now contain ${count} of certain items`);
    }
  }
  return outcome.holds;
}

function isContained(shape: ArrayShape, { what, min, max }: Contains, length: number, include: Include): boolean {
  const items = Array.from({ length: length + 1 }, (_, index) => itemAt(shape.layers, index));
  const isEnough =
    min === 0 ||
    shape.contains.some((own) => own.min >= min && include(own.what, what, [], SILENT)) ||
    (shape.minItems >= min && items.every((item) => include(item, what, [], SILENT)));
  const isFew =
    max === Infinity ||
    mostItems(shape) <= max ||
    shape.contains.some((own) => own.max <= max && include(what, own.what, [], SILENT)) ||
    items.every((item) => include([...item, ...what], [NEVER], [], SILENT));
  return isEnough && isFew;
}

import { describe, expect, test } from "vitest";
import {
  toItems,
  toLengths,
  toRange,
} from "../../../../../../../server/architect/planners/wishes/guess/fields/field-bounds.ts";

describe("the bounds of a new field", () => {
  test.each([
    ["at most 80 characters", { maxLength: 80 }],
    ["between 3 and 20 characters", { minLength: 3, maxLength: 20 }],
    ["mindestens 4 Zeichen", { minLength: 4 }],
    ["最多 80 个字符", { maxLength: 80 }],
  ])("are lengths of a text: %s", (text, bounds) => {
    expect(toLengths(text)).toEqual(bounds);
  });

  test.each([
    ["a list of at most 10 texts, none longer than 30 characters", { type: "string", maxLength: 30 }, 10],
    ["up to 5 integers", { type: "integer" }, 5],
    ["10 strings at most", { type: "string" }, 10],
  ])("are those of a list and of its items: %s", (text, items, maxItems) => {
    expect(toItems(text, {})).toEqual({ items, maxItems });
  });

  test.each([
    ["from 1 to 5", { minimum: 1, maximum: 5 }],
    ["at least 2 and no more than 8", { minimum: 2, maximum: 8 }],
    ["jusqu'à 12", { maximum: 12 }],
  ])("are those of a number: %s", (text, bounds) => {
    expect(toRange(text)).toEqual(bounds);
  });
});

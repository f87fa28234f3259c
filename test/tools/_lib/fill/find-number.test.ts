import { describe, expect, test } from "vitest";
import { fillNumbers } from "../../../../tools/_lib/fill/find-number.ts";
import { createFields, draftOf } from "../../fields.ts";

const integer = { type: "integer", minimum: 1, maximum: 100 };
const optional = { ...integer, optional: true };

describe("fillNumbers", () => {
  test.each([
    ["3", { count: 3 }],
    ["roll 3 with 20 sides", { count: 3, sides: 20 }],
    ["20 sides, 3 of them", { count: 3, sides: 20 }],
    ["sides 8 count 2", { count: 2, sides: 8 }],
    ["500", {}],
    ["2.5", {}],
    ["none", {}],
  ])("reads %j", (message, expected) => {
    expect(fillNumbers(draftOf(message), createFields({ count: integer, sides: optional })).values).toEqual(expected);
  });

  test("gives an optional field only what is meant for it", () => {
    const limit = createFields({ limit: { ...optional, description: "Maximum number of results." } });
    const read = (message: string) => fillNumbers(draftOf(message), limit);
    expect(read("at most 5 results").values).toEqual({ limit: 5 });
    expect(read("limit of 7").values).toEqual({ limit: 7 });
    expect(read("error 42").values).toEqual({});
    expect(read("up to 5 results of it").rest).toBe(`${"\uFFFC".repeat(7)} results of it`);
  });

  test("reads coordinates into latitude and longitude", () => {
    const fields = createFields({ lat: { type: "number" }, longitude: { type: "number" } });
    expect(fillNumbers(draftOf("at 48.85, -2.35"), fields).values).toEqual({ lat: 48.85, longitude: -2.35 });
  });
});

import { describe, expect, test } from "vitest";
import { fits, namesNow } from "../../../../tools/_lib/fill/fits.ts";
import { createField } from "../../fields.ts";

describe("fits", () => {
  test.each([
    [{ type: "integer", minimum: 1, maximum: 5 }, [1, 5], [0, 6, 1.5, "1", Number.NaN]],
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, [0.5], [0, 1, Infinity]],
    [{ type: "integer", multipleOf: 5 }, [10], [12]],
    [{ type: "boolean" }, [true], ["true", 1]],
    [{ enum: ["a", 1] }, ["a", 1], ["b", "1"]],
    [{ type: "string", minLength: 2, maxLength: 3 }, ["ab"], ["a", "abcd", 12]],
    [{ type: "string", pattern: "^[A-Z]+$" }, ["AB"], ["ab"]],
    [{ type: "string", format: "date-time" }, ["2026-07-01T00:00:00Z"], ["2026-07-01", "now", ""]],
    [{ type: "string", format: "date" }, ["2026-02-28"], ["2026-02-29", "tomorrow"]],
    [{ type: "string", format: "time" }, ["10:00:00Z"], ["10:00"]],
    [{ type: "array", items: { type: "integer" }, minItems: 1, maxItems: 2 }, [[1]], [[], [1, 2, 3], ["1"], 1]],
    [{ type: "object" }, [{}, 1], []],
  ])("keeps to %j", (schema, good, bad) => {
    const field = createField(schema);
    expect([good, bad].map((values) => values.map((value) => fits(field, value)))).toEqual([
      good.map(() => true),
      bad.map(() => false),
    ]);
  });

  test("takes `now` where the description or the default allows it", () => {
    const allowed = [{ description: "RFC3339 datetime or 'now'." }, { format: "date-time", default: "now" }];
    expect(allowed.map((schema) => namesNow(createField({ type: "string", ...schema })))).toEqual([true, true]);
    expect(namesNow(createField({ type: "string", format: "date-time", description: "Not now." }))).toBe(false);
  });
});

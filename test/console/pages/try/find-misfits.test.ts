import { describe, expect, test } from "vitest";
import { findMisfits } from "../../../../console/pages/try/form/find-misfits.ts";
import { fitsForm, type FormSchema } from "../../../../server/capabilities/interaction/form.ts";

const FORM: FormSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 2, maxLength: 4 },
    age: { type: "integer", minimum: 1, maximum: 9 },
    share: { type: "number" },
    sure: { type: "boolean" },
    size: { type: "string", enum: ["s", "m"] },
    tone: { type: "string", oneOf: [{ const: "dry" }] },
    days: { type: "array", items: { enum: ["mon", "tue"] }, minItems: 1 },
    ways: { type: "array", items: { anyOf: [{ const: "sea" }] } },
  },
};

const CASES: readonly (readonly [Readonly<Record<string, never>> | object, readonly string[]])[] = [
  [{ name: "Ada" }, []],
  [{ name: "Ada", age: 1, share: 0.5, sure: false, size: "m", tone: "dry", days: ["mon"], ways: [] }, []],
  [{}, ["name is required."]],
  [{ name: "Ada", other: 1 }, ["other is not asked for."]],
  [{ name: "A" }, ["name must have at least 2 characters."]],
  [{ name: "Adalbert" }, ["name must have at most 4 characters."]],
  [{ name: 5 }, ["name must be a text."]],
  [{ name: "Ada", age: 0 }, ["age must be at least 1."]],
  [{ name: "Ada", age: 10 }, ["age must be at most 9."]],
  [{ name: "Ada", age: 1.5 }, ["age must be a whole number."]],
  [{ name: "Ada", share: "1" }, ["share must be a number."]],
  [{ name: "Ada", sure: "yes" }, ["sure must be true or false."]],
  [{ name: "Ada", size: "xl" }, ["size must be one of its choices."]],
  [{ name: "Ada", tone: "wet" }, ["tone must be one of its choices."]],
  [{ name: "Ada", days: [] }, ["days must have at least 1 items."]],
  [{ name: "Ada", days: ["sun"] }, ["days must be a list of its choices."]],
  [{ name: "Ada", days: "mon" }, ["days must be a list."]],
];

describe("findMisfits", () => {
  test.each(CASES)("says of %j what the service would not take", (content, misfits) => {
    expect(findMisfits({ ...FORM }, { ...content })).toEqual(misfits);
    expect(fitsForm(FORM, content as never)).toBe(misfits.length === 0);
  });
});

import { describe, expect, test } from "vitest";
import { chooseKind, listChoices, toInitial } from "../../../../console/pages/try/form/choose-kind.ts";

describe("the field for a value", () => {
  test.each([
    ["text", { type: "string" }],
    ["number", { type: "integer" }],
    ["boolean", { type: "boolean" }],
    ["choice", { enum: ["a", 1, null] }],
    ["choice", { const: true }],
    ["list", { type: "array", items: { type: "string" } }],
    ["object", { type: "object", properties: { a: {} } }],
    ["json", { type: ["string", "null"] }],
    ["json", { type: "object" }],
    ["json", { type: "array" }],
    ["json", { type: "string", oneOf: [{ maxLength: 3 }, { pattern: "^x" }] }],
    ["json", {}],
  ] as const)("is %s for %j", (kind, schema) => {
    expect(chooseKind(schema, schema, 0)).toBe(kind);
  });

  test("is JSON at a depth where a schema may contain itself", () => {
    expect(chooseKind({ type: "object", properties: { a: {} } }, {}, 6)).toBe("json");
  });

  test("has the names that alternatives give their values", () => {
    const titled = { type: "string", oneOf: [{ const: "a", title: "First" }, { const: "b" }] };
    expect(listChoices(titled)).toEqual([
      { value: "a", name: "First" },
      { value: "b", name: "b" },
    ]);
  });

  test("tells choices apart that would read alike", () => {
    const names = (schema: object) => listChoices({ ...schema }).map(({ name }) => name);
    expect(names({ enum: [1, "1", null, "null", "", "a"] })).toEqual(["1", '"1"', "null", '"null"', '""', "a"]);
    const titled = [
      { const: 1, title: "One" },
      { const: "1", title: "One" },
      { const: 2, title: "Two" },
    ];
    expect(names({ oneOf: titled })).toEqual(["One (1)", 'One ("1")', "Two"]);
  });

  test("begins with the defaults of the schema", () => {
    const schema = { type: "object", properties: { a: { default: 1 }, b: { type: "string" } } };
    expect(toInitial(schema, schema)).toEqual({ a: 1 });
    expect(toInitial({ default: [2] }, {})).toEqual([2]);
  });
});

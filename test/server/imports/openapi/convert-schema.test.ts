import { describe, expect, test } from "vitest";
import { createDocument } from "../../../../server/imports/openapi/document.ts";
import { createConvertible } from "../../../../server/imports/openapi/convert-schema.ts";

const NODE = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" }, name: { type: "string" } } };
const { resolve } = createDocument({ components: { schemas: { Node: NODE } } });
const { convert } = createConvertible({ resolve });
const toInput = (schema: unknown) => convert(schema, "input");
const toOutput = (schema: unknown) => convert(schema, "output");

describe("the conversion of a schema", () => {
  test.for([
    [{ type: "string", nullable: true }, { type: ["string", "null"] }],
    [{ type: ["string", "null"] }, { type: ["string", "null"] }],
    [
      { type: "string", enum: ["a", null] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      { type: "string", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      { type: "integer", minimum: 0, exclusiveMinimum: true },
      { type: "integer", exclusiveMinimum: 0 },
    ],
    [
      { type: "integer", minimum: 0, exclusiveMinimum: false },
      { type: "integer", minimum: 0 },
    ],
    [
      { type: "number", exclusiveMaximum: 3 },
      { type: "number", exclusiveMaximum: 3 },
    ],
    [{ type: "integer", format: "int64", maximum: 2 ** 63 }, { type: "integer" }],
    [
      { type: "string", format: "date" },
      { type: "string", format: "date" },
    ],
    [{ type: "string", pattern: "^(?=a)" }, { type: "string" }],
    [
      { type: "string", pattern: "^a$" },
      { type: "string", pattern: "^a$" },
    ],
    [
      { type: "string", default: "a", example: "b" },
      { type: "string", description: "Default: `a`." },
    ],
    [{ properties: { a: {} } }, { type: "object", properties: { a: {} } }],
    [{ oneOf: [{ type: "string" }, { type: "integer" }] }, { anyOf: [{ type: "string" }, { type: "integer" }] }],
    [
      { type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }] },
      { type: "object", properties: { a: {} } },
    ],
    [
      { type: "object", additionalProperties: { type: "string" } },
      { type: "object", additionalProperties: { type: "string" } },
    ],
    [{ type: "string", "x-y": 1, xml: {}, externalDocs: {} }, { type: "string" }],
  ])("writes the input %j as %j", ([schema, converted]) => {
    expect(toInput(schema)).toEqual(converted);
  });

  test("merges the parts of allOf, and closes none of them for the others' members", () => {
    const parts = [
      { type: "object", required: ["a"], properties: { a: { type: "string" } }, additionalProperties: false },
      { type: "object", required: ["b"], properties: { b: { type: "string" } } },
    ];
    expect(toInput({ allOf: parts, description: "Both." })).toEqual({
      type: "object",
      description: "Both.",
      required: ["a", "b"],
      properties: { a: { type: "string" }, b: { type: "string" } },
    });
  });

  test("leaves out what the other side sets", () => {
    const properties = { id: { type: "string", readOnly: true }, key: { type: "string", writeOnly: true } };
    const schema = { type: "object", required: ["id", "key"], properties };
    expect(toInput(schema)).toEqual({ type: "object", required: ["key"], properties: { key: { type: "string" } } });
    expect(toOutput(schema)).toEqual({ type: "object", required: ["id"], properties: { id: { type: "string" } } });
  });

  test("makes outputs loose: formats, bounds and values are told, and not checked", () => {
    expect(toOutput({ type: "string", enum: ["a", "b"], format: "date", minLength: 3, description: "Kind" })).toEqual({
      type: "string",
      description: "Kind. One of `a`, `b`.",
    });
  });

  test("opens parts that contain themselves", () => {
    expect(toInput({ $ref: "#/components/schemas/Node" })).toEqual({
      type: "object",
      properties: { next: { type: "object" }, name: { type: "string" } },
    });
  });

  test("opens what lies too deep for its budget, and keeps the levels above", () => {
    const wide = (depth: number): object =>
      depth === 0
        ? { type: "string" }
        : {
            type: "object",
            properties: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`p${index}`, wide(depth - 1)])),
          };
    const converted = toInput(wide(5));
    expect(Object.keys(converted["properties"] as object)).toHaveLength(10);
    expect(JSON.stringify(converted).length).toBeLessThan(20_000);
    expect(JSON.stringify(converted)).toContain('{"type":"object"}');
  });
});

import { describe, expect, test } from "vitest";
import { readFields } from "../../../../tools/_lib/fill/read-fields.ts";
import type { JsonSchema } from "../../../../server/host-api.ts";

function readOne(schema: JsonSchema, name = "value", root: JsonSchema = {}) {
  const [field] = readFields({ ...root, type: "object", properties: { [name]: schema } });
  if (!field) throw new Error("no field");
  return field;
}

describe("readFields", () => {
  test.each([
    ["integer", { type: "integer" }],
    ["number", { type: "number" }],
    ["flag", { type: "boolean" }],
    ["text", { type: "string" }],
    ["text", { type: ["string", "null"] }],
    ["text", { type: "string", format: "email" }],
    ["choice", { type: "string", enum: ["a", "b"] }],
    ["choice", { const: 1 }],
    ["date-time", { type: "string", format: "date-time" }],
    ["date", { type: "string", format: "date" }],
    ["time", { type: "string", format: "time" }],
    ["date-time", { type: "string", description: "RFC3339 datetime or 'now'." }],
    ["date-time", { type: "string", description: "An ISO 8601 timestamp." }],
    ["list", { type: "array", items: { type: "string" } }],
    ["opaque", { type: "object" }],
    ["opaque", {}],
    ["opaque", { type: ["number", "object"] }],
    ["number", { anyOf: [{ type: "number" }, { type: "null" }] }],
  ])("finds %s in %j", (kind, schema) => {
    expect(readOne(schema).kind).toBe(kind);
  });

  test("reads constants as choices, and follows references within the schema", () => {
    expect(readOne({ oneOf: [{ const: "a", title: "A" }, { const: "b" }] }).choices).toEqual(["a", "b"]);
    expect(readOne({ $ref: "#/$defs/x" }, "value", { $defs: { x: { enum: ["c"] } } }).choices).toEqual(["c"]);
  });

  test.each([
    [{ $ref: "#/$defs/x" }, { $defs: { x: { $ref: "#/$defs/x" } } }],
    [{ $ref: "#/nowhere" }, {}],
    [{ $ref: "https://elsewhere" }, {}],
    [{ type: "array", items: { $ref: "#/properties/value" } }, {}],
  ])("survives %j", (schema, root) => {
    expect(["opaque", "list"]).toContain(readOne(schema, "value", root).kind);
  });

  test("takes names apart and says what is required", () => {
    const fields = readFields({
      type: "object",
      required: ["maxResults"],
      properties: { maxResults: {}, due_date: {} },
    });
    expect(fields.map(({ words, required }) => [words, required])).toEqual([
      [["max", "results"], true],
      [["due", "date"], false],
    ]);
  });

  test("finds nothing in a schema without properties", () => {
    expect(readFields({ type: "object" })).toEqual([]);
    expect(readFields({ type: "object", properties: [] })).toEqual([]);
  });
});

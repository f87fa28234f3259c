import { assert, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../../server/versions/manifests/schema/compile-schema.ts";
import { toExample } from "../../../../tools/_lib/artifacts/example.ts";
import { jsonValues } from "../../../helpers/json-values.ts";

const SCHEMAS: readonly [string, object, unknown][] = [
  ["what it says itself", { type: "string", examples: ["Rome"] }, "Rome"],
  ["a default", { type: "number", default: 7 }, 7],
  ["a constant", { const: null }, null],
  ["a choice", { enum: ["b", "a"] }, "b"],
  ["a text", { type: "string" }, "text"],
  ["a long text", { type: "string", minLength: 6 }, "textxx"],
  ["a short text", { type: "string", maxLength: 2 }, "te"],
  ["a format", { type: "string", format: "date" }, "2026-01-31"],
  ["a number", { type: "number" }, 1],
  ["a number from a bound", { type: "integer", minimum: 5 }, 5],
  ["a number above a bound", { type: "integer", exclusiveMinimum: 5 }, 6],
  ["a number up to a bound", { type: "integer", maximum: -3 }, -3],
  ["a multiple", { type: "integer", multipleOf: 4, minimum: 5 }, 8],
  ["true", { type: "boolean" }, true],
  ["null", { type: "null" }, null],
  ["the first of several types", { type: ["integer", "null"] }, 1],
  ["a list", { type: "array", items: { type: "integer" }, minItems: 2 }, [1, 1]],
  ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { const: 2 }] }, ["text", 2]],
  [
    "what must be there",
    { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] },
    { a: "text" },
  ],
  ["what comes first", { properties: { a: { type: "integer" }, b: {} } }, { a: 1 }],
  ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "integer" } } }, 1],
  ["an alternative", { anyOf: [{ type: "integer" }, { type: "string" }] }, 1],
  [
    "one of several objects",
    { type: "object", oneOf: [{ properties: { a: { const: 1 } }, required: ["a"] }] },
    { a: 1 },
  ],
  [
    "all of several",
    {
      allOf: [
        { properties: { a: { const: 1 } }, required: ["a"] },
        { properties: { b: { const: 2 } }, required: ["b"] },
      ],
      type: "object",
    },
    { a: 1, b: 2 },
  ],
];

describe("an example of a schema", () => {
  test.for(SCHEMAS)("is %s", ([, schema, expected]) => {
    const example = toExample(schema);
    expect(example).toEqual(expected);
    expect(compileSchema({ ...schema })(example)).toEqual([]);
  });

  test("ends, and throws nothing, whatever the schema is", () => {
    expect(toExample({ $ref: "#" })).toBeNull();
    assert(property(jsonValues(), (value) => void toExample(value)));
    assert(
      property(
        jsonValues(),
        (value) => void toExample({ type: "object", properties: value, required: ["a"], allOf: value }),
      ),
    );
  });
});

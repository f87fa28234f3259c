import { Ajv2020 } from "ajv/dist/2020.js";
import { assert, constantFrom, letrec, oneof, property, record, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../../server/host-api.ts";
import { compileSchema } from "../../../../../server/versions/manifests/schema/compile-schema.ts";

/** Items to check beforehand: more than the references that one check follows before it begins to remember. */
const FILLERS = 2_200;

/** Schemas that refer to three definitions, always for a part of the value, so that every check of them ends. */
const { schema } = letrec((tie) => {
  const part = oneof(
    { maxDepth: 3 },
    record({ $ref: constantFrom("#/$defs/x", "#/$defs/y", "#/$defs/z") }),
    tie("schema"),
  );
  return {
    schema: oneof(
      { maxDepth: 3 },
      constantFrom({ type: "string" }, { type: "number" }, { const: 1 }, true, false, { type: "object" }),
      record({ type: constantFrom("object"), properties: record({ a: part, b: part }, { requiredKeys: [] }) }),
      record(
        {
          properties: record({ a: part, b: part }, { requiredKeys: [] }),
          required: constantFrom(["a"], ["b"]),
          additionalProperties: constantFrom(false, true),
          unevaluatedProperties: constantFrom(false),
        },
        { requiredKeys: ["properties"] },
      ),
      tuple(constantFrom("anyOf", "oneOf", "allOf"), tie("schema"), tie("schema")).map(([keyword, one, other]) => ({
        [keyword]: [one, other],
      })),
      record({ not: tie("schema") }),
    ),
  };
});
const { value } = letrec((tie) => ({
  value: oneof(
    { maxDepth: 5 },
    constantFrom("text", 1, 2),
    record({ a: tie("value"), b: tie("value") }, { requiredKeys: [] }),
  ),
}));

describe("remembering what references found", () => {
  it("changes no answer", () => {
    const definitions = record({ x: schema, y: schema, z: schema });
    const law = property(definitions, tuple(value, value, value), ($defs, values) => {
      const plain = new Ajv2020({ strict: false, logger: false });
      const expected = plain.compile({ $ref: "#/$defs/x", $defs } as JsonSchema);
      const list = { type: "array", items: { $ref: "#/$defs/x" }, $defs } as JsonSchema;
      const check = compileSchema(list);
      const fits = constantFromFitting(expected);
      for (const one of values) {
        // As many of one kind before it as it takes for everything to be remembered; if none fits, nothing goes before.
        const fillers = fits === undefined ? [] : Array.from({ length: FILLERS }, () => structuredClone(fits));
        expect(check([...fillers, one, one, structuredClone(one)], "first").length === 0).toBe(expected(one));
      }
    });
    assert(law, { numRuns: process.env["CAIRN_LONG"] ? 2_000 : 50 });
  });

  it("changes no error", () => {
    const node = { type: "object", properties: { a: { $ref: "#/$defs/e" } }, required: ["a"] };
    const $defs = { e: { anyOf: [node, node, { type: "string" }] } };
    const check = compileSchema({ type: "array", items: { $ref: "#/$defs/e" }, $defs } as JsonSchema);
    const fitting = (count: number) => Array.from({ length: count }, () => ({ a: "text" }));
    const wrong = { a: { a: 5 } };
    const [expected, told] = [2, FILLERS].map((count) => check([...fitting(count), wrong], "first"));
    expect(told).toContainEqual({ path: `/${FILLERS}/a/a`, message: `\`[${FILLERS}].a.a\` must be an object` });
    expect(JSON.stringify(told).replaceAll(String(FILLERS), "2")).toBe(JSON.stringify(expected));
  });

  it("tells the names of an object's members apart", () => {
    const $defs = { name: { pattern: "^a" } };
    const check = compileSchema({ propertyNames: { $ref: "#/$defs/name" }, $defs } as JsonSchema);
    const fitting = Object.fromEntries(Array.from({ length: FILLERS }, (_, at) => [`a${at}`, at]));
    expect(check(fitting, "first")).toEqual([]);
    expect(check({ ...fitting, b: 1 }, "first")).toHaveLength(1);
  });

  it("tells values apart that are no objects", () => {
    const $defs = { number: { type: "number" }, text: { type: "string" } };
    const either = { anyOf: [{ $ref: "#/$defs/number" }, { $ref: "#/$defs/text" }] };
    const check = compileSchema({ type: "array", items: either, $defs } as JsonSchema);
    const fitting = Array.from({ length: FILLERS }, (_, at) => (at % 2 === 0 ? at : "text"));
    expect(check(fitting, "first")).toEqual([]);
    expect(check([...fitting, null], "first")).toEqual([
      { path: `/${FILLERS}`, message: expect.stringContaining("number") },
    ]);
  });
});

/** Something that the schema takes, of a few things that most schemas take one of. */
function constantFromFitting(validate: (value: unknown) => boolean): unknown {
  return ["text", 1, {}, { a: 1 }, { a: "text" }, { a: {}, b: {} }].find((one) => validate(one));
}

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../server/versions/manifests/schema/compile-schema.ts";

const leaf = fc.constantFrom<object | boolean>(
  { additionalProperties: true },
  { additionalProperties: false },
  { additionalProperties: { type: "string" } },
  { patternProperties: { "^a": { type: "integer" } } },
  { patternProperties: { "^b": true }, additionalProperties: { type: "integer" } },
  { properties: { b: { type: "string" } } },
  { required: ["a"] },
  { unevaluatedProperties: false },
  { $ref: "#/$defs/d" },
  true,
);
const union = fc.tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), fc.array(leaf, { minLength: 1, maxLength: 3 }));
const schema = fc
  .record({
    unions: fc.array(union, { minLength: 1, maxLength: 2 }),
    outer: fc.subarray<readonly [string, unknown]>([
      ["patternProperties", { "^q": true }],
      ["properties", { z: true }],
      ["unevaluatedProperties", false],
      ["if", { patternProperties: { "^c": { type: "integer" } }, required: ["c"] }],
      ["dependentSchemas", { a: { patternProperties: { "^z": true } } }],
    ]),
  })
  .map(({ unions, outer }) => ({
    ...Object.fromEntries([...unions, ...outer]),
    ...(outer.some(([keyword]) => keyword === "if") ? { else: { patternProperties: { "^z": true } } } : {}),
    type: "object",
    $defs: { d: { anyOf: [{ patternProperties: { "^c": true } }, { additionalProperties: true }] } },
  }));
const value = fc.dictionary(fc.constantFrom("a", "b", "c", "q", "z"), fc.constantFrom<unknown>(1, "x", null));

describe("patterns beside alternatives", () => {
  test.each([
    [{ anyOf: [{ additionalProperties: true }] }, { q: 1, r: 1 }, []],
    [{ anyOf: [{ required: ["a"], properties: { a: true } }, true] }, { q: 1 }, []],
    [{ anyOf: [{ required: ["a"], properties: { a: true } }, true] }, { a: 1, r: 1 }, ["`r` is not allowed"]],
  ])("let through what they match and refuse the rest: %j, %j", (alternatives, input, messages) => {
    const check = compileSchema({
      type: "object",
      patternProperties: { "^q": true },
      unevaluatedProperties: false,
      ...alternatives,
    });
    const found = check(input).map(({ message }) => message);
    expect(found.length).toBe(messages.length);
    for (const [index, message] of found.entries()) expect(message).toContain(messages[index]);
  });

  test("never make a check throw", () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 1, maxLength: 4 }), (node, values) => {
        const check = compileSchema(node);
        for (const input of values) expect(check(input)).toEqual(expect.any(Array));
      }),
      { numRuns: process.env["CAIRN_LONG"] === "1" ? 5_000 : 200 },
    );
  });
});

import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, includes, type Schema } from "../../../../server/semver/schemas/public.ts";
import { toSide } from "../side.ts";
import { mutate, schema as anySchema } from "../schemas.ts";

const text = { type: "string" };

describe("the inclusion of schemas as a library", () => {
  test.each<[string, Schema, Schema, boolean | undefined]>([
    ["a type in itself", text, text, true],
    ["nothing in anything", false, {}, true],
    ["anything in nothing", true, false, false],
    ["a list in a type", { enum: ["a"] }, text, true],
    ["a type in a list", text, { enum: ["a"] }, false],
    [
      "an older draft in the newest",
      { $schema: "http://json-schema.org/draft-07/schema#", items: [text] },
      { prefixItems: [text] },
      true,
    ],
    ["a pattern that backtracks, in itself", { ...text, pattern: "^(?!a)" }, { ...text, pattern: "^(?!a)" }, true],
    ["a nullable type in the type", { ...text, nullable: true }, text, false],
    ["a nullable type in a list of types", { ...text, nullable: true }, { type: ["string", "null"] }, true],
    ["a list of types in a nullable type", { type: ["null", "string"] }, { type: ["string"], nullable: true }, true],
    ["a nullable type with a list of values in the type", { ...text, nullable: true, enum: ["a"] }, text, true],
    [
      "null in a nullable type with a list without it",
      { const: null },
      { ...text, nullable: true, enum: ["a"] },
      false,
    ],
    [
      "members of a nullable type in an older draft",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        items: [{ $ref: "#/$defs/a" }],
        $defs: { a: { ...text, nullable: true } },
      },
      { prefixItems: [text] },
      false,
    ],
    ["a type that is not nullable in itself", { ...text, nullable: false }, text, true],
    ["any text in such a pattern", text, { ...text, pattern: "^(?!a)" }, undefined],
    [
      "members by patterns beside alternatives in themselves, with others",
      {
        anyOf: [{ properties: { a: { type: "integer" } }, required: ["a"] }, { minProperties: 1 }],
        patternProperties: { "^x": text },
        unevaluatedProperties: false,
      },
      {
        anyOf: [{ properties: { a: { type: "integer" } }, required: ["a"] }, { minProperties: 1 }],
        patternProperties: { "^x": { type: "integer" } },
        unevaluatedProperties: false,
      },
      false,
    ],
    [
      "a list in one whose items alternatives evaluate, of which ajv takes one",
      { type: "array", items: text },
      { type: "array", anyOf: [{ items: text }, { items: { type: "integer" } }], unevaluatedItems: false },
      false,
    ],
    [
      "an object in one whose members ajv forgets as another is not there",
      { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false },
      { properties: { a: text }, dependentSchemas: { b: { properties: { c: text } } }, unevaluatedProperties: false },
      false,
    ],
  ])("%s", (_, inner, outer, answer) => {
    expect(includes(outer, inner)).toBe(answer);
  });

  test("shows an exclusion by a value, and says why an answer is unknown", () => {
    const excluded = compare({}, text);
    expect(excluded).toMatchObject({ verdict: "excluded", findings: [{ path: [], rule: "type-narrowed" }] });
    expect(excluded.verdict === "excluded" && typeof excluded.witness).not.toBe("string");
    expect(compare(text, { ...text, pattern: "^(?!a)" })).toMatchObject({
      verdict: "unknown",
      reason: expect.stringContaining("^(?!a)"),
    });
  });

  test.each<[string, unknown]>([
    ["another type", 7],
    ["an unknown type", { type: "strin" }],
    ["`nullable` without a type", { nullable: true }],
    ["another dialect", { $schema: "https://example.com/mine" }],
    ["a reference to nowhere", { $ref: "#/$defs/none" }],
  ])("refuses %s as a schema", (_, schema) => {
    expect(() => compare(schema as Schema, {})).toThrow(TypeError);
    expect(() => compare({}, schema as Schema)).toThrow("The outer schema is no JSON Schema");
  });

  test("says what the validators of tools say", () => {
    fc.assert(
      fc.property(anySchema, fc.nat(200), (inner, place) => {
        const outer = mutate(inner, place);
        let answer;
        try {
          answer = compare(inner, outer);
        } catch (error) {
          // A mutation may be no schema.
          if (error instanceof TypeError) return;
          throw error;
        }
        if (answer.verdict !== "excluded") return;
        expect([toSide(inner).check(answer.witness).length, toSide(outer).check(answer.witness).length > 0]).toEqual([
          0,
          true,
        ]);
      }),
      { numRuns: 60 },
    );
  });
});

/** The example of docs/schema-inclusion.md, and what it prints; `test/strangers` runs it from the package. */
test("the documentation has an example", () => {
  const page = readFileSync("docs/schema-inclusion.md", "utf8");
  expect(page).toMatch(/```ts\nimport \{ compare, includes \} from "cairn-gitops\/schema-inclusion";/);
});

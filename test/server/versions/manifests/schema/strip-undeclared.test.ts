import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../../server/host-api.ts";
import type { Json } from "../../../../../server/store/store.ts";
import { compileSchema } from "../../../../../server/versions/manifests/schema/compile-schema.ts";
import { createStripUndeclared } from "../../../../../server/versions/manifests/schema/strip-undeclared.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

const strip = (schema: JsonSchema, value: Json) => createStripUndeclared(schema)(value);
const A = { type: "object", properties: { a: {} } };

describe("what a schema does not declare", () => {
  test.each<[string, JsonSchema, Json, Json]>([
    ["goes beside named properties", A, { a: 1, z: 2 }, { a: 1 }],
    ["goes from items and members", { items: A, properties: { m: A } }, [{ a: 1, z: 2 }], [{ a: 1 }]],
    ["goes from members of members", { properties: { m: A } }, { m: { a: 1, z: 2 } }, { m: { a: 1 } }],
    ["goes from members of an open map", { additionalProperties: A }, { k: { a: 1, z: 2 } }, { k: { a: 1 } }],
    [
      "goes through references, also circular ones",
      { $ref: "#/$defs/n", $defs: { n: { properties: { next: { $ref: "#/$defs/n" } } } } },
      { next: { next: { z: 1 }, z: 1 } },
      { next: { next: {} } },
    ],
    [
      "goes from tuples and what comes behind",
      { prefixItems: [A], items: { properties: { b: {} } } },
      [{ z: 1 }, { b: 1, a: 1 }],
      [{}, { b: 1 }],
    ],
    ["goes under patterns", { patternProperties: { "^x": {} } }, { x1: 1, z: 2 }, { x1: 1 }],
    [
      "goes where only alternatives name members",
      { anyOf: [A, { properties: { b: {} } }] },
      { a: 1, b: 2, z: 3 },
      { a: 1, b: 2 },
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(strip(schema, value)).toEqual(expected);
  });

  test.each<[string, JsonSchema, Json]>([
    ["an object without properties is open", { properties: { forecast: { type: "object" } } }, { forecast: { z: 1 } }],
    ["`additionalProperties: true` says so", { ...A, additionalProperties: true }, { a: 1, z: 2 }],
    ["`unevaluatedProperties` with a schema says so", { ...A, unevaluatedProperties: { type: "number" } }, { z: 2 }],
    ["`additionalProperties: false` leaves the refusal to the check", { ...A, additionalProperties: false }, { z: 2 }],
    ["`required` names it", { ...A, required: ["z"] }, { z: 2 }],
    ["an alternative declares it", { ...A, oneOf: [{ properties: { z: {} } }] }, { z: 2 }],
    ["a condition declares it", { ...A, if: { required: ["a"] }, else: { properties: { z: {} } } }, { z: 2 }],
    ["a constant holds it", { properties: { c: { const: { z: 1 } } } }, { c: { z: 1 } }],
    ["it only looks like one, in a list or text", { properties: { t: {} } }, ["z"]],
  ])("stays where %s", (_, schema, value) => {
    expect(strip(schema, value)).toEqual(value);
  });

  test("is dropped also when it is named like a member of every object", () => {
    const value = JSON.parse('{"a":1,"__proto__":{"x":1},"toString":2}') as Json;
    expect(Object.entries(strip(A, value) as object)).toEqual([["a", 1]]);
  });
});

test("a schema that leaves nothing open costs nothing: the very same value comes back", () => {
  const closed = {
    properties: { a: { properties: { b: {} }, additionalProperties: false } },
    additionalProperties: false,
  };
  const value = { a: { b: {} }, z: 1 };
  expect(strip(closed, value)).toBe(value);
  expect(strip(A, value)).not.toBe(value);
});

const NAMES = ["a", "b", "c", "d"];
const name = fc.constantFrom(...NAMES);

/**
 * Schemas without keywords that count members or items: what those say may change with what is dropped. Without
 * `patternProperties`, too: ajv throws where an alternative has it beside `additionalProperties: true` in another.
 */
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const inner = tie("schema");
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonSchema>({}, { type: "object" }, { type: "integer" }, { const: 1 }),
      fc.record(
        {
          properties: fc.dictionary(name, inner, { maxKeys: 3 }),
          required: fc.uniqueArray(name, { maxLength: 1 }),
          additionalProperties: fc.constantFrom<unknown>(true, { type: "integer" }),
          items: inner,
          allOf: list,
          anyOf: list,
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(1, "x", null),
    fc.dictionary(fc.constantFrom(...NAMES, "z"), tie("value"), { maxKeys: 4 }) as fc.Arbitrary<Json>,
    fc.array(tie("value"), { maxLength: 3 }) as fc.Arbitrary<Json>,
  ),
}));

const RUNS = { numRuns: process.env["CAIRN_LONG"] ? 3000 : 300 };

test("what was valid stays valid, stripping twice is stripping once, and the argument stays as it is", () => {
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (of, values) => {
      const check = compileSchema(of);
      const stripOf = createStripUndeclared(of);
      for (const before of values) {
        const copy = structuredClone(before);
        const after = stripOf(before);
        expect(before).toEqual(copy);
        expect(stripOf(after)).toEqual(after);
        if (check(before).length === 0) expect(check(after)).toEqual([]);
      }
    }),
    RUNS,
  );
});

test("nothing that a schema declares is lost, and nothing is made up", () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.constant({})), value, (properties, before) => {
      const after = strip({ properties }, before);
      if (typeof before !== "object" || before === null || Array.isArray(before)) expect(after).toBe(before);
      else
        expect(after).toEqual(
          Object.fromEntries(Object.entries(before).filter(([key]) => Object.hasOwn(properties, key))),
        );
    }),
    RUNS,
  );
});

test("what no schema speaks of is kept without a look, and what one schema is about costs one plan", async () => {
  const output = {
    type: "object",
    properties: { any: {}, list: { items: { properties: { a: {} } } }, map: { additionalProperties: { $ref: "#" } } },
  };
  const stripOf = createStripUndeclared(output);
  const empty = Array.from({ length: 300_000 }, () => ({}));
  const members = Object.fromEntries(empty.slice(0, 60_000).map((one, at) => [`k${at}`, one]));
  const any = { any: empty };
  expect(await expectQuick(20, () => stripOf(any))).toBe(any);
  const list = { list: empty };
  expect(await expectQuick(200, () => stripOf(list))).toBe(list);
  const map = { map: members };
  expect(await expectQuick(200, () => stripOf(map))).toBe(map);
});

test("items and members with a schema of their own are stripped by that, and the others by the common one", () => {
  const pair = { prefixItems: [{ properties: { a: {} } }], items: { properties: { b: {} } } };
  const both = { a: 1, b: 2 };
  expect(strip(pair, [both, both, both])).toEqual([{ a: 1 }, { b: 2 }, { b: 2 }]);
  const map = { properties: { a: { properties: { a: {} } } }, additionalProperties: { properties: { b: {} } } };
  expect(strip(map, { a: both, x: both, y: both })).toEqual({ a: { a: 1 }, x: { b: 2 }, y: { b: 2 } });
});

import type { Check } from "../../../../server/json/types.ts";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../../../server/semver/schemas/compare-schemas.ts";
import { locate, toRoot } from "../../../../server/semver/schemas/located.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";
import { toSide } from "../side.ts";

/** Comparing must end in good time whatever the schema; what validators cost is tested where they are. */
const LIMIT_MS = 5_000;
const refuseAll: Check = () => [{ path: "", message: "refused" }];
const side = (schema: unknown, check: Check = refuseAll) => ({ place: locate(schema, toRoot(schema)), check });
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const nest = (depth: number, wrap: (inner: unknown) => unknown, inner: unknown) =>
  range(depth).reduce<unknown>((schema) => wrap(schema), inner);
/** Each definition refers to the next twice, so that there are 2^30 ways through. */
const doubling = (keyword: string, last: unknown) => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries([
    ...range(30).map((index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      const both = keyword === "properties" ? { a: next, b: next } : [next, { minimum: index, ...next }];
      return [`d${index}`, { [keyword]: both }];
    }),
    ["d30", last],
  ]),
});
const alternatives = (count: number, from: number) =>
  range(count).map((index) => ({
    type: "object",
    properties: { [`p${index + from}`]: { type: "string", minLength: index } },
    required: [`p${index}`],
  }));

const HOSTILE: Readonly<Record<string, readonly [unknown, unknown]>> = {
  "deep objects": [
    nest(2_000, (inner) => ({ properties: { a: inner } }), { type: "string" }),
    nest(2_000, (inner) => ({ properties: { a: inner } }), { type: "number" }),
  ],
  "members that double": [doubling("properties", { type: "string" }), doubling("properties", { type: "number" })],
  "conditions that double": [doubling("allOf", { type: "number" }), doubling("allOf", { type: "integer" })],
  "parts that conditions evaluate doubly": [
    doublyEvaluated({ properties: { a: { type: "integer" } }, prefixItems: [true] }),
    doublyEvaluated({ properties: { a: true }, prefixItems: [true, true] }),
  ],
  "alternatives that double": [doubling("anyOf", { type: "number" }), doubling("anyOf", { type: "integer" })],
  "single choices that double": [doubling("oneOf", { type: "number" }), doubling("oneOf", { type: "integer" })],
  "many alternatives": [{ anyOf: alternatives(400, 0) }, { anyOf: alternatives(400, 1) }],
  "many single choices": [{ oneOf: alternatives(400, 0) }, { oneOf: alternatives(400, 1) }],
  "a product of alternatives": [
    { allOf: range(20).map((index) => ({ anyOf: alternatives(3, index * 3) })) },
    { allOf: range(20).map((index) => ({ anyOf: alternatives(3, index * 3 + 1) })) },
  ],
  "many members": [
    { properties: Object.fromEntries(range(1_500).map((index) => [`m${index}`, { minimum: index }])) },
    { properties: Object.fromEntries(range(1_500).map((index) => [`m${index}`, { minimum: index + 1 }])) },
  ],
  "many values": [
    { enum: range(3_900).map((index) => ({ index })) },
    { enum: range(3_900).map((index) => ({ index: index + 1 })) },
  ],
  "many patterns of names": [
    { patternProperties: Object.fromEntries(range(50).map((index) => [`^x${index}`, { minimum: index }])) },
    { patternProperties: Object.fromEntries(range(50).map((index) => [`^x${index}`, { minimum: index + 1 }])) },
  ],
  "a huge count": [{ minItems: 1e15 }, { minItems: 2e15, items: { minProperties: 1e15 } }],
  "negations of negations": [
    nest(80, (inner) => ({ not: { anyOf: [inner, { type: "null" }] } }), { type: "string" }),
    nest(80, (inner) => ({ not: { anyOf: [inner, { type: "null" }] } }), { type: "number" }),
  ],
  "a long chain of references": [
    {
      $ref: "#/$defs/0",
      $defs: Object.fromEntries(range(1_900).map((index) => [index, { $ref: `#/$defs/${(index + 1) % 1_900}` }])),
    },
    { type: "string" },
  ],
};

describe("a hostile schema", () => {
  it.each(Object.entries(HOSTILE))("is answered in good time: %s", async (_, [one, other]) => {
    for (const [inner, outer] of [
      [one, other],
      [other, one],
    ]) {
      await expectQuick(LIMIT_MS, () =>
        compareSchemas(
          side(inner, () => []),
          side(outer),
        ),
      );
    }
  });

  it.each(["allOf", "anyOf", "oneOf"])("is not run through its validators hundreds of times: %s", async (keyword) => {
    const [one, other] = [
      toSide(doubling(keyword, { type: "number" })),
      toSide(doubling(keyword, { type: "integer" })),
    ];
    expect((await expectQuick(LIMIT_MS, () => compareSchemas(one, other))).verdict).not.toBe("included");
  });

  it("that is only large is still compared", () => {
    const many = (minimum: number) => ({
      properties: Object.fromEntries(range(1_000).map((index) => [`m${index}`, { type: "number", minimum }])),
    });
    expect(compareSchemas(side(many(1)), side(many(0))).verdict).toBe("included");
  });
});

function doublyEvaluated(last: object) {
  return { ...doubling("allOf", last), unevaluatedProperties: false, unevaluatedItems: false };
}

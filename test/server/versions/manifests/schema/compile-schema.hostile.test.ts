import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../../server/host-api.ts";
import { compileSchema } from "../../../../../server/versions/manifests/schema/compile-schema.ts";
import { expectQuick } from "../../../../helpers/expect-quick.ts";

function doubling(depth: number): JsonSchema {
  return {
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries(
      Array.from({ length: depth }, (_, index) => [
        `d${index}`,
        index === depth - 1
          ? { type: "number" }
          : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]),
    ),
  };
}

/** A value inside so many objects. */
function nest(levels: number, value: unknown): unknown {
  return levels === 0 ? value : { a: nest(levels - 1, value) };
}

describe("a hostile schema", () => {
  it("whose references double without end asks nothing twice", async () => {
    const check = compileSchema(doubling(60));
    expect(await expectQuick(1000, () => [check(1), check("1")])).toEqual([
      [],
      [{ path: "", message: "the value must be a number" }],
    ]);
  });

  it("whose references double with each level of the value asks nothing twice, either", async () => {
    const twice = { properties: { a: { $ref: "#" } } };
    const check = compileSchema({ type: "object", allOf: [twice, twice] });
    expect(await expectQuick(1000, () => [check(nest(60, {})), check(nest(60, 1))])).toEqual([
      [],
      [{ path: "/a".repeat(60), message: expect.stringMatching(/must be an object$/) }],
    ]);
  });

  it("whose alternatives refer back to it is answered, and its errors are told, in time", async () => {
    const node = { type: "object", properties: { a: { $ref: "#/$defs/e" } }, additionalProperties: false };
    const check = compileSchema({ $ref: "#/$defs/e", $defs: { e: { anyOf: [node, node, { type: "string" }] } } });
    expect(await expectQuick(1000, () => check(nest(60, "leaf")))).toEqual([]);
    const told = await expectQuick(1000, () => check(nest(60, 5)));
    expect(told.length).toBeLessThanOrEqual(20);
    expect(told[0]?.path).toBe("/a".repeat(60));
  });

  it("that asks what its alternatives have left is answered in time, too", async () => {
    const node = { type: "object", properties: { a: { $ref: "#/$defs/e" } }, unevaluatedProperties: false };
    const check = compileSchema({ $ref: "#/$defs/e", $defs: { e: { anyOf: [node, node, { type: "string" }] } } });
    const told = await expectQuick(1000, () => [check(nest(60, "leaf")), check(nest(60, 5))]);
    expect(told[0]).toEqual([]);
    expect(told[1]?.[0]?.path).toBe("/a".repeat(60));
  });

  it("whose references are dynamic is answered in time", async () => {
    const node = { type: "object", properties: { a: { $dynamicRef: "#e" } } };
    const check = compileSchema({ $dynamicAnchor: "e", anyOf: [node, node, { type: "string" }] });
    const told = await expectQuick(1000, () => [check(nest(60, "leaf")), check(nest(60, 5))]);
    expect(told[0]).toEqual([]);
    expect(told[1]?.[0]?.path).toBe("/a".repeat(60));
  });

  it("with large definitions that are used often compiles in time", async () => {
    const large = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, { type: "string" }]));
    const often = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`q${index}`, { $ref: "#/$defs/large" }]),
    );
    await expectQuick(1000, () =>
      compileSchema({ type: "object", properties: often, $defs: { large: { type: "object", properties: large } } }),
    );
  });

  it("meets a list of 100,000 objects that must be unique in time", async () => {
    const check = compileSchema({ type: "array", uniqueItems: true });
    const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect(await expectQuick(1000, () => check(items))).toEqual([]);
    expect(
      check([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toHaveLength(1);
  });

  it("meets a value nested 100,000 deep with an answer", () => {
    const check = compileSchema({ type: "array", items: { $ref: "#" } });
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(check(deep)).toEqual([{ path: "", message: "the value nests too deeply, or is too large, to be checked" }]);
  });

  it("with patterns on property names does not let ajv backtrack over them", async () => {
    const hostile = { type: "object", properties: { ["a".repeat(40)]: {} }, patternProperties: { "^(a+)+$b": {} } };
    await expectQuick(1000, () => compileSchema(hostile));
  });

  it("finds at most as much wrong as fits into memory", async () => {
    const required = Array.from({ length: 1000 }, (_, index) => `p${index}`);
    const check = compileSchema({ type: "array", items: { type: "object", required } });
    const told = await expectQuick(1000, () => check(Array.from({ length: 9000 }, () => ({}))));
    expect(told).toEqual([{ path: "/0", message: "`[0].p0` is missing" }]);
  });

  it("finds one thing wrong where finding all would double without end", async () => {
    const wrong = { type: "string" };
    const pair = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
    const defs = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`d${index}`, index === 19 ? wrong : pair(`#/$defs/d${index + 1}`)]),
    );
    const told = await expectQuick(2000, () => compileSchema({ $ref: "#/$defs/d0", $defs: defs })(1));
    expect(told).toEqual([{ path: "", message: "the value must be a string" }]);
  });

  it.each([
    ["date-time", "2025-01-01T" + "0".repeat(1_000_000)],
    ["email", "a.".repeat(500_000)],
    ["hostname", "a-".repeat(500_000)],
    ["ipv6", "1:".repeat(500_000)],
    ["json-pointer", "/a".repeat(500_000) + "~"],
    ["regex", "(a".repeat(300_000)],
    ["uri", "http://" + "a".repeat(1_000_000) + "\n"],
    ["uri-reference", "a/".repeat(500_000) + " "],
    ["uri-template", "{a}".repeat(300_000) + "{"],
    ["duration", "P" + "1".repeat(1_000_000)],
  ])("of format %s answers a megabyte in time", async (format, text) => {
    const check = compileSchema({ type: "string", format });
    expect(await expectQuick(1000, () => check(text))).toHaveLength(1);
  });
});

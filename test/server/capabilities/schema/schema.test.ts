import { assert, asyncProperty } from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../server/store/store.ts";
import { createDispatch } from "../../../../server/kernel/dispatch.ts";
import { createSchemaSyscalls } from "../../../../server/capabilities/schema/schema.ts";
import { expectQuick } from "../../../helpers/expect-quick.ts";
import { jsonValues } from "../../../helpers/json-values.ts";
import { createRunningCall } from "../../../helpers/running-call.ts";

const dispatch = createDispatch(createSchemaSyscalls());
const call = createRunningCall({ tool: { name: "a.b", server: "a", deterministic: true } });
const problems = (schema: Json) => dispatch(call, "schema.problems", { schema }) as Promise<{ message: string }[]>;
const check = (schema: Json, value: Json) => dispatch(call, "schema.check", { schema, value });

describe("ctx.schema", () => {
  test("tells what is wrong with a value", async () => {
    const schema = {
      type: "object",
      required: ["a"],
      properties: { a: { type: "number" } },
      additionalProperties: false,
    };
    expect(await check(schema, { a: 1 })).toEqual([]);
    expect(await check(schema, { a: "1", b: 2 })).toEqual([
      { path: "", message: expect.stringMatching(/^`b` is not allowed/) },
      { path: "/a", message: expect.stringMatching(/^`a` must be a number/) },
    ]);
  });

  test("reads a schema by the rules of its draft", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      items: [{ type: "string" }],
      additionalItems: false,
    };
    expect(await problems(schema)).toEqual([]);
    expect(await problems({ ...schema, items: 1 })).not.toEqual([]);
    expect(await check(schema, ["a"])).toEqual([]);
    expect(await check(schema, ["a", "b"])).toHaveLength(1);
  });

  test.for<[unknown, string]>([
    [true, "must be an object"],
    [1, "must be an object"],
    [{ type: "strnig" }, "`type` must be"],
    [{ required: "a" }, "`required` must be"],
    [{ proprties: {} }, "no keyword of JSON Schema"],
    [{ $ref: "https://example.com/" }, "leads outside this schema"],
    [{ $ref: "#" }, "checking it never ends"],
    [{ pattern: "(a)\\1" }, "pattern"],
    [{ format: "colour" }, "unknown"],
    [{ enum: Array.from({ length: 5_000 }, (_, n) => n) }, "more than 4000 parts"],
    [{ description: "x".repeat(70_000) }, "its limit is 65536"],
  ])("refuses a schema that cannot be used: case %#", async ([schema, why]) => {
    const found = await problems(schema as Json);
    expect(found[0]?.message).toContain(why);
    await expect(check(schema as Json, 1)).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });

  test("takes bounded time, whatever the schema and the value hold", async () => {
    const items = Array.from({ length: 3_000 }, (_, n) => ({ n }));
    const branch = { properties: { a: { $ref: "#" } } };
    let deep: Json = 1;
    for (let depth = 0; depth < 200; depth += 1) deep = { a: deep };
    await expectQuick(3_000, async () => {
      const wide = {
        anyOf: Array.from({ length: 1_000 }, (_, n) => ({ items: { properties: { n: { const: -n } } } })),
      };
      await check(wide, items).catch(() => undefined);
      await check({ uniqueItems: true }, items);
      await check({ type: "string", pattern: "^(a+)+$" }, "a".repeat(50_000) + "b").catch(() => undefined);
      await check({ allOf: [{ anyOf: [branch, branch] }], required: ["b"] }, deep);
    });
  });

  test("answers every JSON value for what is no schema, and for a schema that takes all", async () => {
    const law = asyncProperty(jsonValues(), async (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(Array.isArray(await problems(json))).toBe(true);
      expect(await check({}, json)).toEqual([]);
    });
    await assert(law, { numRuns: 100 });
  });
});

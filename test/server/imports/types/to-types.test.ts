import { describe, expect, test } from "vitest";
import { toType, toTypeName, writeTypes } from "../../../../server/imports/types/to-types.ts";

describe("toType", () => {
  test.for([
    [{ type: "string" }, "string"],
    [{ type: ["integer", "null"] }, "number | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: true }, "true"],
    [{ type: "array", items: { type: "string" } }, "readonly string[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
    [{ type: "array", prefixItems: [{ type: "string" }], items: false }, "readonly [(string)?]"],
    [{ type: "object" }, "Readonly<Record<string, unknown>>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Readonly<Record<string, number>>"],
    [{ type: "object", additionalProperties: false }, "Readonly<Record<string, never>>"],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
    [{ type: "string", oneOf: [{ minLength: 1 }, { maxLength: 0 }] }, "string"],
    [{ allOf: [{ type: "string" }, { enum: ["a"] }] }, 'string & "a"'],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "boolean" } } }, "boolean"],
    [{}, "unknown"],
    [true, "unknown"],
    [false, "never"],
  ] as const)("writes %j as %s", ([schema, type]) => {
    expect(toType(schema, "caller")).toBe(type);
  });

  test("writes members with their descriptions, and optional unless they are required", () => {
    const schema = {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "integer", description: "Number\nof */ it." },
        "x-y": { type: "object", properties: { z: { type: "string", deprecated: true } } },
      },
    };
    expect(toType(schema, "caller")).toBe(`{
  /** Number of * / it. */
  id: number;
  "x-y"?: {
    /** @deprecated */
    z?: string;
  };
}`);
  });

  test("a member with a default is there for the handler, and may be left out by its callers", () => {
    const schema = { type: "object", properties: { units: { type: "string", default: "metric" } } };
    expect(toType(schema, "handler")).toContain("units: string;");
    expect(toType(schema, "caller")).toContain("units?: string;");
  });

  test("ends at a part that contains itself", () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
    };
    expect(toType(schema, "caller")).toBe("{\n  next?: unknown;\n}");
  });
});

describe("writeTypes", () => {
  test("writes inputs and outputs of tools in the order of their names", () => {
    const tool = { input: { type: "object" }, output: { type: "object" } };
    const text = writeTypes([
      { stem: "b-two", ...tool },
      { stem: "a_one", ...tool },
    ]);
    expect([...text.matchAll(/type (\w+)/g)].map(([, name]) => name)).toEqual([
      "AOneInput",
      "AOneOutput",
      "BTwoInput",
      "BTwoOutput",
    ]);
  });

  test.for([
    ["get_weather", "GetWeather"],
    ["runner.get-weather", "RunnerGetWeather"],
    ["2fa", "_2fa"],
  ])("names the types of %s %s", ([stem = "", name]) => {
    expect(toTypeName(stem)).toBe(name);
  });
});

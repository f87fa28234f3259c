import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDefaults } from "../../../../../server/versions/manifests/schema/with-defaults.ts";

const SCHEMA = {
  type: "object",
  properties: {
    units: { type: "string", default: "metric" },
    options: {
      type: "object",
      default: {},
      properties: { days: { type: "integer", default: 3 }, note: { type: "string" } },
    },
    inner: { type: "object", properties: { a: { default: null } } },
    list: { type: "array", items: { $ref: "#/$defs/item" } },
    tree: { $ref: "#/$defs/tree" },
    toString: { default: "own" },
  },
  $defs: {
    item: { type: "object", properties: { size: { default: 1 } } },
    tree: { type: "object", properties: { label: { default: "leaf" }, child: { $ref: "#/$defs/tree" } } },
  },
};

describe("defaults", () => {
  const fill = createDefaults(SCHEMA);

  it("are filled in for properties that are missing, nested ones too", () => {
    expect(fill({})).toEqual({ units: "metric", options: { days: 3 }, toString: "own" });
    expect(fill({ options: { note: "x" } })).toEqual({
      units: "metric",
      options: { note: "x", days: 3 },
      toString: "own",
    });
  });

  it("leave what is given alone, `null` and wrong values included", () => {
    const given = { units: null, options: 5, inner: { a: 0 }, list: "x", toString: 1 };
    expect(fill(given)).toEqual(given);
  });

  it("make no object that has no default of its own", () => {
    expect(fill({})).not.toHaveProperty("inner");
    expect(fill({ inner: {} })).toHaveProperty("inner", { a: null });
  });

  it("reach items and what references lead to, also in circles", () => {
    expect(fill({ list: [{}, { size: 2 }, 3], tree: { child: { child: {} } } })).toMatchObject({
      list: [{ size: 1 }, { size: 2 }, 3],
      tree: { label: "leaf", child: { label: "leaf", child: { label: "leaf" } } },
    });
  });

  it("stop at a depth that no honest value has", () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level++) deep = { child: deep };
    expect(fill({ tree: deep })).toHaveProperty(["tree", "label"], "leaf");
  });

  it("answer with the very value where nothing is missing, and with no schema's help for what is no object", () => {
    const given = { a: 1 };
    expect(createDefaults({ type: "object" })(given)).toBe(given);
    for (const value of [null, 1, "a", [1]]) expect(fill(value)).toBe(value);
  });

  it("never change their argument, and change nothing the second time", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(SCHEMA.properties)), fc.jsonValue()), (value) => {
        const before = structuredClone(value);
        const filled = fill(value);
        expect(value).toEqual(before);
        expect(fill(filled)).toEqual(filled);
      }),
    );
  });
});

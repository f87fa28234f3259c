import { describe, expect, test } from "vitest";
import { listMembers } from "../../../console/parts/list-members.ts";

describe("members of a schema", () => {
  test("follow references, lists and alternatives, each before what is within it", () => {
    const schema = {
      type: "object",
      required: ["filters"],
      properties: {
        filters: { type: "array", minItems: 1, items: { $ref: "#/$defs/filter" } },
        by: { anyOf: [{ type: "string" }, { type: "object", properties: { name: { type: "string" } } }] },
        more: { type: "object", additionalProperties: { type: "object", properties: { deep: { const: 3 } } } },
      },
      $defs: { filter: { type: "object", properties: { field: { type: "string", description: "Which." } } } },
    };
    expect(listMembers(schema)).toEqual([
      { path: "filters", type: "list of object", isRequired: true, limits: ["at least 1 items"] },
      { path: "filters[].field", type: "string", isRequired: false, limits: [], description: "Which." },
      { path: "by", type: "string or object", isRequired: false, limits: [] },
      { path: "by (2)", type: "object", isRequired: false, limits: [] },
      { path: "by (2).name", type: "string", isRequired: false, limits: [] },
      { path: "more", type: "object", isRequired: false, limits: [] },
      { path: "more.*.deep", type: "one of these values", isRequired: false, limits: ["always 3"] },
    ]);
  });

  test("end where a schema contains itself, or a reference leads nowhere", () => {
    const tree = { type: "object", properties: { child: { $ref: "#" } } };
    expect(
      listMembers(tree)
        .map(({ path }) => path)
        .at(-1),
    ).toMatch(/^(?:child\.){6}child$/);
    const circle = { type: "object", properties: { a: { $ref: "#/properties/a" }, b: { $ref: "#/%E0%A4%A" } } };
    expect(listMembers(circle).map(({ path, type }) => [path, type])).toEqual([
      ["a", "any JSON"],
      ["b", "any JSON"],
    ]);
    const wide = { type: "array", items: { $ref: "#" }, allOf: Array.from({ length: 50 }, () => ({ $ref: "#" })) };
    expect(listMembers({ properties: { wide } })).toHaveLength(400);
    const lists = {
      properties: { all: { $ref: "#/$defs/all" } },
      $defs: { all: { type: "array", items: { $ref: "#/$defs/all" } } },
    };
    expect(listMembers(lists).map(({ type }) => type)).toEqual(["list of list of list of list of any JSON"]);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFaults } from "../../../../server/semver/schemas/violations.ts";
import type { Json } from "../../../../server/json/types.ts";
import { instance, schema } from "../schemas.ts";
import { toSide } from "../side.ts";

const RUNS = process.env["CAIRN_LONG"] === "1" ? 50_000 : 200;
/** Violations that the validators list at most. */
const MOST = 20;

describe("violations that are found without a validator", () => {
  it.each<[string, unknown, Json, readonly string[]]>([
    ["nothing", { type: "object", required: ["a"] }, { a: 1 }, []],
    ["a value of another type", { type: "object" }, 1, [""]],
    ["a text without its format", { items: { format: "date" } }, ["2024-02-29", "2023-02-29"], ["/1"]],
    ["the object that lacks a member", { properties: { a: { required: ["b"] } } }, { a: {} }, ["/a"]],
    ["the object with a member that may not be there", { additionalProperties: false }, { a: 1 }, [""]],
    [
      "a member, and an item",
      { properties: { a: { items: { minimum: 2 } } }, maxProperties: 0 },
      { a: [2, 1] },
      ["", "/a/1"],
    ],
    [
      "through references",
      { $ref: "#/$defs/a", $defs: { a: { properties: { "b/c": false } } } },
      { "b/c": 1 },
      ["/b~1c"],
    ],
  ])("are %s", (_title, written, value, paths) => {
    expect(findFaults(value, toSide(written).place)?.map(({ path }) => path)).toEqual(paths);
  });

  it.each<[string, unknown, Json]>([
    ["alternatives", { anyOf: [{ type: "object" }, { minimum: 2 }] }, 1],
    ["items to be contained", { contains: { const: 1 } }, []],
    ["unevaluated members", { unevaluatedProperties: false }, { a: 1 }],
  ])("are left to it where there are %s", (_title, written, value) => {
    expect(findFaults(value, toSide(written).place)).toBeUndefined();
  });

  it("stand where the validators see them", () => {
    let found = 0;
    fc.assert(
      fc.property(schema, fc.array(instance, { minLength: 20, maxLength: 20 }), (written, values) => {
        const { place, check } = toSide(written);
        for (const value of values as Json[]) {
          const own = findFaults(value, place);
          if (own === undefined) continue;
          const theirs = check(value);
          if (theirs.length >= MOST) continue;
          found += own.length;
          expect([value, own.map(({ path }) => path).toSorted()]).toEqual([
            value,
            [...new Set(theirs.map(({ path }) => path))].toSorted(),
          ]);
        }
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS * 5);
  });
});

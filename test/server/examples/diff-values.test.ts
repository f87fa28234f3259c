import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffValues, hideActual, showDifference } from "../../../server/examples/diff-values.ts";
import type { Json } from "../../../server/store/store.ts";

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe("diffValues", () => {
  test("names each place, by JSON Pointer, with both values", () => {
    const before = { same: 1, "a/b": { c: [1, 2] }, gone: null };
    const after = { same: 1, "a/b": { c: [1, 3, 4] }, more: true };
    expect(diffValues(before, after)).toEqual([
      { path: "/a~1b/c/1", expected: 2, actual: 3 },
      { path: "/a~1b/c/2", actual: 4 },
      { path: "/gone", expected: null },
      { path: "/more", actual: true },
    ]);
  });

  test("tells a list from an object with the same members", () => {
    expect(diffValues([1], { 0: 1 })).toEqual([{ path: "", expected: [1], actual: { 0: 1 } }]);
  });

  test("finds nothing between equal values and something between others", () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(diffValues(one, structuredClone(one))).toEqual([]);
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(diffValues(one, other).length === 0).toBe(isSame);
      }),
    );
  });

  test("says only of which type and size the actual values are where they must not be seen", () => {
    const before = { a: "x", b: [1], c: { d: 1 }, e: 1, f: true, g: 2, h: "same", i: 1 };
    const after = {
      a: "secret",
      b: { secret: 1 },
      c: { d: ["secret"], secret: 1, "secret/2": 2 },
      e: null,
      f: 7,
      g: false,
    };
    const hidden = hideActual(diffValues(before, { ...after, h: "same" }));
    expect(hidden.map(showDifference)).toEqual([
      '/a: expected "x", got a text of 6 characters (not shown)',
      "/b: expected [1], got an object of 1 members (not shown)",
      "/c/d: expected 1, got a list of 1 items (not shown)",
      "/c: expected nothing, got something more (not shown)",
      "/e: expected 1, got null (not shown)",
      "/f: expected true, got a number (not shown)",
      "/g: expected 2, got a boolean (not shown)",
      "/i: expected 1, got nothing",
    ]);
    expect(JSON.stringify(hidden)).not.toContain("secret");
  });

  test("is read as a line", () => {
    expect(showDifference({ path: "/a", expected: "x" })).toBe('/a: expected "x", got nothing');
    expect(showDifference({ path: "", expected: 1, actual: "y".repeat(500) })).toHaveLength(
      "the output: expected 1, got ".length + 203,
    );
  });
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner as Json)]),
  );
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairLines } from "../../../../console/pages/compare/pair-lines.ts";

const lines = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}`);

describe("two texts side by side", () => {
  test("show equal lines only around what differs", () => {
    const before = [...lines(20), "old", ...lines(20)].join("\n");
    const after = [...lines(20), "new", "newer", ...lines(20)].join("\n");
    expect(pairLines(before, after).map((row) => (row.kind === "equal" ? row.count : [row.left, row.right]))).toEqual([
      17,
      ["line 17", "line 17"],
      ["line 18", "line 18"],
      ["line 19", "line 19"],
      ["old", "new"],
      [undefined, "newer"],
      ["line 0", "line 0"],
      ["line 1", "line 1"],
      ["line 2", "line 2"],
      17,
    ]);
  });

  test("leave out no line that differs, and give each row a place of its own", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = pairLines(before.join("\n"), after.join("\n"));
        const count = (side: "left" | "right") =>
          rows.reduce((sum, row) => sum + (row.kind === "equal" ? row.count : row[side] === undefined ? 0 : 1), 0);
        expect([count("left"), count("right")]).toEqual([before.length, after.length]);
        expect(new Set(rows.map(({ at }) => at)).size).toBe(rows.length);
      }),
    );
  });

  test("are empty where there is no text", () => {
    expect(pairLines("", "a")).toEqual([{ kind: "changed", at: 0, right: "a" }]);
  });
});

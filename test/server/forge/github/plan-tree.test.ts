import { describe, expect, test } from "vitest";
import { planTree } from "../../../../server/forge/github/plan-tree.ts";

const MODES = new Map([
  ["a.txt", "100644"],
  ["bin/run", "100755"],
  ["link", "120000"],
  ["module", "160000"],
]);

function plan(files: Readonly<Record<string, string | Uint8Array | null>>) {
  return planTree(new Map(Object.entries(files)), MODES);
}

describe("the plan of a tree", () => {
  test("keeps the mode of what is executable, and makes everything else plain", () => {
    expect(plan({ "bin/run": "x", "bin/new": "y", "a.txt": null })).toEqual({
      deleted: ["a.txt"],
      written: [
        { path: "bin/run", mode: "100755", content: "x" },
        { path: "bin/new", mode: "100644", content: "y" },
      ],
      swaps: false,
    });
  });

  test("has bytes as text only where they come back the same", () => {
    const contents = (...bytes: number[]) => plan({ x: Uint8Array.of(...bytes) }).written[0]?.content;
    expect(contents(0xef, 0xbb, 0xbf, 0x61)).toBe("\u{feff}a");
    expect(contents(0xc3, 0xbc)).toBe("ü");
    expect(contents(0xc3)).toEqual(Uint8Array.of(0xc3));
    expect(contents(0x61, 0)).toEqual(Uint8Array.of(0x61, 0));
    expect(plan({ x: "a\0" }).written[0]?.content).toEqual(Buffer.from("a\0"));
  });

  test("takes two steps where a file and a folder change places", () => {
    expect(plan({ "a.txt": null, "a.txt/b": "x" }).swaps).toBe(true);
    expect(plan({ "bin/run": null, bin: "x" }).swaps).toBe(true);
  });

  test.each([
    { "a.txt/b": "x" },
    { bin: "x" },
    { bin: null },
    { "none.txt": null },
    { link: "x" },
    { module: "x" },
    { "module/x": "x" },
  ])("refuses %j", (files) => {
    expect(() => plan(files)).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });
});

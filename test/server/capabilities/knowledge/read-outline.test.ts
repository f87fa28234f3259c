import { describe, expect, test } from "vitest";
import { follow, listTexts, readOutline } from "../../../../server/capabilities/knowledge/read-outline.ts";

const YAML = `# A comment.
name: "a: b"
uses: [clock,
  random]
examples:
  - input:
      x: |-
        two
        lines
  # between
  - { error: NOT_FOUND }
`;

describe("the outline of a manifest", () => {
  test("has the text of values and the lines of keys and items", () => {
    const outline = readOutline(YAML, 9);
    expect(follow(outline, "name")).toEqual({ line: 2, text: "a: b" });
    expect(listTexts(follow(outline, "uses"))).toEqual([
      { text: "clock", line: 3 },
      { text: "random", line: 4 },
    ]);
    const [first, second] = follow(outline, "examples")?.items ?? [];
    expect(follow(first, "input", "x")).toEqual({ line: 7, text: "two\nlines" });
    expect(second?.line).toBe(11);
    expect(follow(second, "error")?.text).toBe("NOT_FOUND");
  });

  test("has only lines below its depth", () => {
    const outline = readOutline(YAML, 2);
    expect(listTexts(follow(outline, "uses")).map(({ text }) => text)).toEqual(["clock", "random"]);
    expect(follow(outline, "examples")).toEqual({ line: 5, items: [{ line: 6 }, { line: 11 }] });
  });

  test("is empty where a path leads nowhere", () => {
    expect(follow(readOutline(YAML, 9), "name", "deeper")).toBeUndefined();
    expect(listTexts(follow(readOutline(YAML, 9), "name"))).toEqual([]);
  });

  test.each(["a: [1", "", "a: b: c", "- x\ny: 1"])("is absent from %j, which is no YAML", (text) => {
    expect(readOutline(text, 9)).toBeUndefined();
  });
});

import { expect, test } from "vitest";
import { readFileLine, toFileLine } from "../../../../server/architect/planners/file-line.ts";

test("a sentence about a file is known for one, and names the file", () => {
  expect(toFileLine("renamed", "a/b.yaml", "a/c.yaml")).toBe("Renames `a/b.yaml` (it was `a/c.yaml`).");
  expect(readFileLine(toFileLine("renamed", "a/b.yaml", "a/c.yaml"))).toBe("a/b.yaml");
  expect(readFileLine(toFileLine("modified", "a/b.yaml"))).toBe("a/b.yaml");
  expect(readFileLine("Changes the greeting.")).toBeUndefined();
});

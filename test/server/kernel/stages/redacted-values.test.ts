import { expect, test } from "vitest";
import { findRedactedValues } from "../../../../server/kernel/stages/redacted-values.ts";
import { createTestTool } from "../../../helpers/test-version.ts";

const tool = createTestTool({ name: "s.a", server: "s", redact: ["/a", "/b/1"] });

test("texts and numbers at the places to redact, and inside of them, are found", () => {
  const value = { a: { c: ["x", 7, true, null], d: "y" }, b: ["no", "z"], e: "no" };
  expect(findRedactedValues(tool, value).toSorted()).toEqual(["7", "x", "y", "z"]);
  expect(findRedactedValues(createTestTool({ name: "s.b", server: "s" }), value)).toEqual([]);
});

test("a megabyte of them is found as a few are", () => {
  expect(findRedactedValues(tool, { a: Array.from({ length: 450_000 }, () => 1) })).toHaveLength(450_000);
});

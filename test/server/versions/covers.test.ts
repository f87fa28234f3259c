import { expect, test } from "vitest";
import { covers } from "../../../server/versions/covers.ts";

test.each([
  ["tool:a", "tool:a", true],
  ["tool:a", "tool:ab", false],
  ["tool:a*", "tool:ab", true],
  ["tool:a*", "tool:a", true],
  ["tool:*", "data:a", false],
  ["*", "anything", true],
  ["tool:A*", "tool:ab", false],
])("the grant %s covers %s: %s", (grant, capability, expected) => {
  expect(covers(grant, capability)).toBe(expected);
});

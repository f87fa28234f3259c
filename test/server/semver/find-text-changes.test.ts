import { expect, test } from "vitest";
import { createFinding, placeIn } from "../../../server/semver/finding.ts";
import { findTextChanges } from "../../../server/semver/find-text-changes.ts";

const find = (message: string, key: string) => createFinding("text-changed", message, placeIn("after", "a.yaml", key));

interface Owner {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly string[];
}

function explain(was: Owner, is: Owner): readonly string[] {
  const keys = ["title", "description", "examples"] as const;
  return findTextChanges("the tool `a`", was, is, keys, find).map(({ message }) => message);
}

test("finds nothing where all texts are as they were", () => {
  expect(explain({ title: "A", examples: ["b"] }, { examples: ["b"], title: "A" })).toEqual([]);
});

test("shows a text before and after, one that is new, and one that is gone", () => {
  expect(explain({ title: "A", description: "One." }, { title: "B" })).toEqual([
    'The title of the tool `a` is "B", and was "A".',
    'The tool `a` no longer has the description "One.".',
  ]);
  expect(explain({}, { title: "B\nC" })).toEqual(['The tool `a` has the title "B\\nC".']);
  expect(explain({ examples: ["b"] }, {})).toEqual(["The examples of the tool `a` are others."]);
});

test("shows of long texts the part that differs", () => {
  const [start, end] = ["s".repeat(200), "e".repeat(200)];
  const [message = ""] = explain({ description: `${start}first${end}` }, { description: `${start}second${end}` });
  expect(message).toContain(`"...${"s".repeat(16)}second${"e".repeat(58)}..."`);
  expect(message).toContain(`and was "...${"s".repeat(16)}first${"e".repeat(59)}..."`);
});

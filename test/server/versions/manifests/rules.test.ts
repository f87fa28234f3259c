import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { formatProblems } from "../../../../server/versions/format-problems.ts";
import { createLoader } from "../../../../server/versions/load-version.ts";
import { RULES } from "../../../../server/versions/manifests/rules.ts";
import { BAD_TREES } from "../../../fixtures/trees/bad-trees.ts";
import { createMemoryTree } from "../../../fixtures/trees/create-memory-tree.ts";
import { changeTree } from "../../../fixtures/trees/good-tree.ts";

const loader = createLoader();
/** Rules that are younger than versions which are served. */
const LATER: ReadonlySet<string> = new Set([
  "default-value",
  "fetch-nowhere",
  "foreign-global",
  "hidden-text",
  "import-name",
  "state-unsaid",
]);

describe("a tree with something wrong in it", () => {
  it.each(BAD_TREES)("[V8][D2] $rule: tells of $title", async ({ rule, changes, told }) => {
    const loaded = await loader.load(createMemoryTree(changeTree(changes)), "0123456");
    const problems = loaded.ok ? (loaded.notices ?? []) : loaded.problems;
    expect(formatProblems(problems, "text")).toBe(told);
    expect(problems.map((problem) => problem.rule)).toContain(rule);
    expect(Object.isFrozen(problems)).toBe(true);
    // A rule that came later must not end what a tag has promised.
    expect(loaded.ok).toBe(LATER.has(rule));
  });

  it("is told of with a fix of one line for each problem", async () => {
    for (const { told } of BAD_TREES) {
      const lines = told.trimEnd().split("\n");
      expect(
        lines.filter((_, index) => index % 2 === 0).every((line) => /^\S.*:\d+:\d+: .+\. \([a-z-]+\)$/.test(line)),
      );
      expect(lines.filter((_, index) => index % 2 === 1).every((line) => /^ {4}\S.*[.?]$/.test(line))).toBe(true);
    }
  });
});

describe("the table of rules", () => {
  it("is the one in docs/manifests.md", async () => {
    const docs = await readFile(new URL("../../../../docs/manifests.md", import.meta.url), "utf8");
    const rows = [...docs.matchAll(/^\| `([a-z-]+)`\s*\| (.*?)\s*\|$/gm)].map(([, rule, meaning]) => [rule, meaning]);
    expect(Object.fromEntries(rows)).toEqual(RULES);
    expect(rows.map(([rule]) => rule)).toEqual(Object.keys(RULES).toSorted());
  });

  it("has a bad tree for every rule, and no other", () => {
    expect(new Set(BAD_TREES.map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)));
  });
});

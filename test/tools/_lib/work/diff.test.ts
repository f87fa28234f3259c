import { describe, expect, test } from "vitest";
import { findDiff, listFiles, withoutDiff } from "../../../../tools/_lib/work/diff.ts";

const GIT = [
  "diff --git a/old.md b/new.md",
  "similarity index 90%",
  "rename from old.md",
  "rename to new.md",
  "--- a/old.md",
  "+++ b/new.md",
  "@@ -1,2 +1,2 @@",
  "--- a/looks-like-a-header",
  "+++ b/looks-like-one-too",
  " same",
  "diff --git a/gone.md b/gone.md",
  "deleted file mode 100644",
  "--- a/gone.md",
  "+++ /dev/null",
  "@@ -1 +0,0 @@",
  "-gone",
  "",
].join("\n");

describe("the diff in an objective", () => {
  test.each([
    ["a block that says diff", `Please.\n\`\`\`diff\n${GIT}\`\`\`\nThanks.`, GIT],
    ["one that says patch, with tildes", `~~~patch\n${GIT}~~~`, GIT],
    ["lines that end as on Windows", `\`\`\`diff\r\n${GIT.replaceAll("\n", "\r\n")}\`\`\`\r\n`, GIT],
    ["the whole text", GIT, GIT],
  ])("is found in %s", (_, text, diff) => {
    expect(findDiff(text)).toBe(diff);
  });

  test.each([["Make it better."], ["--- a heading ---\nand text"], ["```js\n+1\n```"]])("is not seen in %j", (text) => {
    expect(findDiff(text)).toBeUndefined();
    expect(withoutDiff(text)).toBe(text);
  });

  test("leaves what else was said", () => {
    expect(withoutDiff(`Please.\n\`\`\`diff\n${GIT}\`\`\`\nThanks.`)).toMatch(/^Please\.\s+Thanks\.$/);
  });

  test("touches files under both of their names, whatever its lines look like", () => {
    expect(listFiles(GIT)).toEqual(["old.md", "new.md", "gone.md"]);
  });

  test("touches the files of pairs of names where git has not made it", () => {
    const plain =
      "--- a/x.md\t2026-01-01\n+++ b/x.md\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y.md\n@@ -0,0 +1 @@\n+c\n";
    expect(listFiles(plain)).toEqual(["x.md", "y.md"]);
  });
});

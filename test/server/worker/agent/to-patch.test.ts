import fc from "fast-check";
import { expect, test } from "vitest";
import { readPatch } from "../../../../server/capabilities/workspace/patch/read-patch.ts";
import type { Files, TextFile } from "../../../../server/worker/agent/folder.ts";
import { listChanges, toPatch } from "../../../../server/worker/agent/to-patch.ts";

const file = fc.record({
  text: fc.array(fc.constantFrom("a", "b\n", "\n", "+x\n", "--- a/y\n", "\r\n")).map((parts) => parts.join("")),
  executable: fc.boolean(),
});
const files = fc
  .array(fc.tuple(fc.constantFrom("a.md", "tools/b.ts", "c"), file))
  .map((entries): Files => new Map<string, TextFile>(entries));

test("a patch between any two folders is one that the service reads, of exactly the files that differ", () => {
  fc.assert(
    fc.property(files, files, (before, after) => {
      const changed = listChanges(before, after);
      const patch = toPatch(before, after);
      expect(patch === "").toBe(changed.length === 0);
      if (patch === "") return;
      const read = readPatch(patch);
      expect(read.map(({ path }) => path)).toEqual(changed);
      const kind = (path: string) => (before.has(path) ? (after.has(path) ? "modified" : "deleted") : "added");
      expect(read.map(({ path, change }) => [path, change])).toEqual(changed.map((path) => [path, kind(path)]));
    }),
  );
});

test("a file keeps the end of its last line as it is, and its mode", () => {
  const before: Files = new Map([["a", { text: "one", executable: false }]]);
  const after: Files = new Map([["a", { text: "one\ntwo", executable: true }]]);
  expect(toPatch(before, after)).toBe(
    [
      "diff --git a/a b/a",
      "old mode 100644",
      "new mode 100755",
      "--- a/a",
      "+++ b/a",
      "@@ -1,1 +1,2 @@",
      "-one",
      "\\ No newline at end of file",
      "+one",
      "+two",
      "\\ No newline at end of file",
      "",
    ].join("\n"),
  );
});

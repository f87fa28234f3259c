import { describe, expect, test } from "vitest";
import { type FileSource, loadTexts, TEXT_LIMITS } from "../../../../server/capabilities/knowledge/load-texts.ts";
import { toSource } from "./to-source.ts";
import { createMemoryTree } from "../../../fixtures/trees/create-memory-tree.ts";

function sourceOf(files: Readonly<Record<string, string | Uint8Array>>): FileSource {
  return {
    paths: Object.keys(files),
    read: async (path, maxBytes) => {
      const bytes = Buffer.from(files[path] ?? "");
      return bytes.length > maxBytes ? undefined : bytes;
    },
  };
}

describe("the texts of a repository", () => {
  test("come by path, and what is no text is skipped with the reason", async () => {
    const { texts, skipped } = await loadTexts(
      sourceOf({
        "b.md": "# B\n",
        "a.ts": "é",
        "nul.bin": new Uint8Array([65, 0, 66]),
        "latin.txt": new Uint8Array([0xe9]),
        "large.json": "x".repeat(11),
      }),
      { ...TEXT_LIMITS, maxFileBytes: 10 },
    );
    expect([...texts]).toEqual([
      ["a.ts", "é"],
      ["b.md", "# B\n"],
    ]);
    expect(skipped).toEqual([
      { path: "large.json", reason: "is larger than 10 bytes, or no file" },
      { path: "latin.txt", reason: "is not UTF-8 text" },
      { path: "nul.bin", reason: "is not UTF-8 text" },
    ]);
  });

  test("are bounded in all", async () => {
    const files = { "1": "12345", "2": "12345", "3": "1", "4": "1" };
    const some = await loadTexts(sourceOf(files), { maxFileBytes: 10, maxBytes: 7, maxFiles: 2 });
    expect([...some.texts.keys()]).toEqual(["1", "3"]);
    expect(some.skipped).toEqual([
      { path: "2", reason: "comes after the first 7 bytes" },
      { path: "4", reason: "comes after the first 2 files" },
    ]);
  });

  test("of a version are its files, and no links", async () => {
    const tree = createMemoryTree({ "versions.yaml": "current: 1.0.0\n", "tools/link.ts": { kind: "symlink" } });
    const { texts, skipped } = await loadTexts(toSource(tree));
    expect([...texts.keys()]).toEqual(["versions.yaml"]);
    expect(skipped).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeFiles } from "../../../../server/architect/pipeline/merge-files.ts";
import { createRepository } from "../../../../server/architect/pipeline/repository.ts";
import { loadGit } from "../../../../server/versions/git/git.ts";

const git = await loadGit({ environment: process.env });
const { mergeLines } = createRepository({
  git,
  gitDir: "none",
  defaultBranch: "main",
  onRefs: () => undefined,
  semverOf: async () => "",
});
const reader = (files: Readonly<Record<string, string>>) => async (path: string) => files[path];
const merge = (
  wanted: Readonly<Record<string, string | null>>,
  original: Readonly<Record<string, string>>,
  base: Readonly<Record<string, string>>,
) => mergeFiles(mergeLines, new Map(Object.entries(wanted)), reader(original), reader(base));

const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

describe("changes of one commit, made to another", () => {
  test("are the same where the other has the file as it was", async () => {
    expect(await merge({ a: "new\n", b: null, c: "c\n" }, { a: "old\n", b: "b\n" }, { a: "old\n", b: "b\n" })).toEqual({
      files: new Map([
        ["a", "new\n"],
        ["b", null],
        ["c", "c\n"],
      ]),
      conflicts: [],
    });
  });

  test("keep what the other has changed in other lines", async () => {
    const wanted = LINES.replace("two", "TWO");
    const { files, conflicts } = await merge({ a: wanted }, { a: LINES }, { a: LINES.replace("six", "SIX") });
    expect(files).toEqual(new Map([["a", LINES.replace("two", "TWO").replace("six", "SIX")]]));
    expect(conflicts).toEqual([]);
  });

  test("leave out what the other has already", async () => {
    expect(await merge({ a: "x\n", b: null }, { a: "y\n", b: "b\n" }, { a: "x\n" })).toEqual({
      files: new Map(),
      conflicts: [],
    });
  });

  test.each([
    ["both changed the same line", { a: "x\n" }, { a: "old\n" }, { a: "y\n" }],
    ["one deleted what the other changed", { a: null }, { a: "old\n" }, { a: "y\n" }],
    ["one changed what the other deleted", { a: "x\n" }, { a: "old\n" }, {}],
    ["both made the same file, each in its way", { a: "x\n" }, {}, { a: "y\n" }],
  ])("name a file when %s", async (_title, wanted, original, base) => {
    expect(await merge(wanted, original, base as Record<string, string>)).toEqual({
      files: new Map(),
      conflicts: [{ path: "a", contradictions: [] }],
    });
  });

  test("are merged by key where they are YAML, and by line where that loses nothing", async () => {
    const [before, base] = ["a: 1\nb: 2\n", "a: 1\nb: 3\n"];
    const { files, conflicts } = await merge(
      { "f.yaml": "a: 9 # Nine.\nb: 2\n" },
      { "f.yaml": before },
      { "f.yaml": base },
    );
    expect([files, conflicts]).toEqual([new Map([["f.yaml", "a: 9 # Nine.\nb: 3\n"]]), []]);
    const apart = "a: 1\n\n\n\nb: 2\n";
    const byLine = await merge(
      { "f.yaml": `# Top.\n${apart}` },
      { "f.yaml": apart },
      { "f.yaml": apart.replace("2", "3") },
    );
    expect(byLine.files.get("f.yaml")).toBe(`# Top.\n${apart.replace("2", "3")}`);
  });

  test("name the keys that both give another value", async () => {
    const { conflicts } = await merge({ "f.yaml": "a: 3\n" }, { "f.yaml": "a: 1\n" }, { "f.yaml": "a: 2\n" });
    expect(conflicts).toEqual([{ path: "f.yaml", contradictions: [{ path: ["a"], was: 1, ours: 2, theirs: 3 }] }]);
  });

  test("are whole where only one side has any", async () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n"), { maxLength: 6 }).map((lines) => lines.join(""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const asWanted = await merge({ f: after }, { f: before }, { f: before });
        expect(asWanted.files.get("f") ?? before).toBe(after);
        const asBase = await merge({ f: before }, { f: before }, { f: after });
        expect(asBase).toEqual({ files: new Map(), conflicts: [] });
      }),
      { numRuns: 20 },
    );
  });
});

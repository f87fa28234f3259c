import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadFragments } from "../../../../../server/versions/manifests/fragments/load-fragments.ts";
import { loadDirectoryTree } from "../../../../../server/versions/git/directory-tree.ts";
import { openTarget } from "../../../../../server/cli/versions/open-target.ts";
import { createLoader } from "../../../../../server/versions/load-version.ts";
import { createRepository } from "../../../../helpers/repository.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

async function load(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const read = await loadDirectoryTree(folder);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return { folder, tree: read.tree, fragments: await loadFragments(read.tree) };
}

const ONE = "---\nkind: minor\n---\n\nGreets in Italian.\n";
const GUIDE = { "changes/README.md": "A file for each change.\n" };

describe("change fragments of a tree", () => {
  test("are read with kind, sentences and place", async () => {
    const more =
      "---\r\n# Why\r\nkind: patch # small\r\n---\r\n- One\r\n  thing.\r\n- Another.\r\n\r\nA third,\r\nlonger.\r\n";
    const { fragments, tree } = await load({ ...GUIDE, "changes/a.md": ONE, "changes/b.md": more });
    expect(fragments).toEqual({
      list: [
        { file: "changes/a.md", kind: "minor", changes: ["Greets in Italian."], at: { line: 2, column: 7 } },
        {
          file: "changes/b.md",
          kind: "patch",
          changes: ["One thing.", "Another.", "A third, longer."],
          at: { line: 3, column: 7 },
        },
      ],
      problems: [],
    });
    expect([...tree.entries.keys()]).toEqual([]);
  });

  test.each<[why: string, text: string | Uint8Array, place: string]>([
    ["no front matter", "Greets.\n", "1:1: `changes/a.md` has no front matter, so it is no change fragment."],
    [
      "an open front matter",
      "---\nkind: minor\n",
      "1:1: `changes/a.md` has no front matter, so it is no change fragment.",
    ],
    ["no text", "---\nkind: minor\n---\n\n", "3:1: `changes/a.md` says nothing below its front matter."],
    ["another kind", "---\nkind: huge\n---\nX.\n", "2:7: `kind` must be one of patch, minor, major, not `huge`."],
    ["no kind", "---\n{}\n---\nX.\n", "2:1: `kind` is missing."],
    ["another key", "---\nkind: patch\nof: x\n---\nX.\n", "3:1: "],
    ["broken YAML", "---\nkind: [\n---\nX.\n", ""],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), ""],
  ])("are refused for %s, with the place", async (_why, text, place) => {
    const { fragments } = await load({ ...GUIDE, "changes/a.md": text });
    expect(fragments?.list).toEqual([]);
    const [problem] = fragments?.problems ?? [];
    expect(problem?.file).toBe("changes/a.md");
    expect(`${problem?.line}:${problem?.column}: ${problem?.message}`).toContain(place);
  });

  test("are used by a repository whose folder has a guide or one of them, and by no other", async () => {
    expect((await load({})).fragments).toBeUndefined();
    expect(
      (await load({ "changes/notes.md": "# Notes\n", "changes/12.feature": "More.\n" })).fragments,
    ).toBeUndefined();
    expect((await load({ "changes/a.md": ONE })).fragments?.list).toHaveLength(1);
    expect((await load({ ...GUIDE })).fragments).toEqual({ list: [], problems: [] });
    expect((await load({ "changes/sp ace.md": ONE })).fragments?.problems).toHaveLength(1);
    expect((await load({ changes: "A file." })).fragments).toBeUndefined();
  });

  test("do not follow links", async () => {
    const { folder } = await load({ ...GUIDE, "elsewhere.md": ONE });
    await symlink(join(folder, "elsewhere.md"), join(folder, "changes/a.md"));
    const read = await loadDirectoryTree(folder);
    expect(read.ok && (await loadFragments(read.tree))).toMatchObject({
      list: [],
      problems: [{ file: "changes/a.md", rule: "change-fragment" }],
    });
  });

  test.each([
    ["changes/sp ace.md"],
    ["changes/ü.md"],
    ["changes/C.MD"],
    ["changes/.dot.md"],
    ["changes/-dash.md"],
    ["changes/quote'.md"],
    ["changes/fix.markdown"],
    ["changes/a.txt"],
    ["changes/none"],
    ["changes/sub/b.md", "changes/sub"],
    ["changes/a\u202eb.md", "changes", "changes/a\\u202eb.md"],
    ["changes/a\nb.txt", "changes", "changes/a\\nb.txt"],
  ])("refuse %j beside them, in a folder and in a commit", async (path, file = path, shown = file) => {
    const { fragments } = await load({ ...GUIDE, [path]: ONE });
    expect(fragments).toEqual({
      list: [],
      problems: [
        {
          file,
          line: 1,
          column: 1,
          rule: "change-fragment",
          message: `\`${shown}\` is not read: a change fragment is a file, and has another name.`,
          fix: expect.stringContaining("ASCII letters"),
        },
      ],
    });
    const repository = await createRepository();
    const commit = await repository.commit({ ...GUIDE, [path]: ONE });
    const opened = await openTarget({ folder: repository.path, environment: process.env }, commit, createLoader());
    opened.close();
    expect(opened.fragments).toEqual(fragments);
  });

  test.each([
    ["U+200B", "---\nkind: minor\n---\n\nGreets in\u200b Italian.\n", 5, 10],
    ["U+202E", "---\nkind: minor # \u202esmall\n---\n\nGreets.\n", 2, 15],
  ])("are refused for %s, at its place", async (name, text, line, column) => {
    const { fragments } = await load({ ...GUIDE, "changes/a.md": text });
    const message = `${name} stands here, which nobody sees.`;
    const problem = { file: "changes/a.md", line, column, rule: "hidden-text", message, fix: "Remove it." };
    expect(fragments).toEqual({ list: [], problems: [problem] });
  });

  test("refuse a guide that claims a kind, and leave other front matter alone", async () => {
    expect((await load({ "changes/README.md": ONE })).fragments?.problems).toMatchObject([
      { file: "changes/README.md", rule: "change-fragment", message: expect.stringContaining("has `kind`") },
    ]);
    const { fragments } = await load({ "changes/README.md": "---\ntitle: Changes\n---\n\nkind: minor\n" });
    expect(fragments?.problems).toEqual([]);
  });
});

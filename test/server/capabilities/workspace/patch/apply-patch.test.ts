import { execFileSync } from "node:child_process";
import { mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openTestWorkspace } from "../../../../helpers/workspace.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";
import { finishPending } from "../../../../../server/capabilities/workspace/patch/pending.ts";
import { toWorkspaceFolder } from "../../../../../server/capabilities/workspace/workspace-folder.ts";

const A = "one\ntwo\nthree\nfour\nfive\n";
const CHANGE = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n";
const ADD = (path: string, mode = "100644") =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`;

async function contentsOf(tree: string): Promise<Record<string, string>> {
  const names = (await readdir(tree, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(tree.length + 1), await readFile(path, "utf8")] as const)),
  );
}

describe("a patch", () => {
  test("adds, changes, deletes and renames files, and sets modes, all in one", async () => {
    const { workspace, tree } = await openTestWorkspace({
      "a.txt": A,
      "old.txt": "x\ny\n",
      "gone.txt": "g\n",
      "run.sh": "r\n",
    });
    const report = await workspace.fs.applyPatch(
      CHANGE +
        ADD("src/new file.txt") +
        "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n" +
        "diff --git a/old.txt b/moved/to.txt\nsimilarity index 50%\nrename from old.txt\nrename to moved/to.txt\n--- a/old.txt\n+++ b/moved/to.txt\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n" +
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n",
    );
    expect(report.applied).toBe(true);
    expect(report.files.map(({ path, change, status }) => [path, change, status])).toEqual([
      ["a.txt", "modified", "applied"],
      ["src/new file.txt", "added", "applied"],
      ["gone.txt", "deleted", "applied"],
      ["moved/to.txt", "renamed", "applied"],
      ["run.sh", "modified", "applied"],
    ]);
    expect(report.files[0]?.hunks).toEqual([{ line: 3, start: 1, status: "applied" }]);
    expect(await contentsOf(tree)).toEqual({
      "a.txt": "one\nzwei\nthree\nfour\nfive\n",
      "moved/to.txt": "x\nz\n",
      "run.sh": "r\n",
      "src/new file.txt": "new\n",
    });
    expect((await stat(join(tree, "run.sh"))).mode & 0o111).toBe(0o111);
  });

  test("that fits elsewhere says where it went", async () => {
    const { workspace } = await openTestWorkspace({ "a.txt": `zero\nzero\n${A}` });
    const report = await workspace.fs.applyPatch(CHANGE.replace("-1,3 +1,3", "-2,3 +2,3"));
    expect(report.files[0]?.hunks).toEqual([{ line: 3, start: 2, foundAt: 3, status: "applied" }]);
  });

  test("that does not fit changes nothing, and says what it needs and what is there", async () => {
    const { workspace, tree } = await openTestWorkspace({ "a.txt": A, "b.txt": "b\n" });
    const before = await contentsOf(tree);
    const wrong = "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-other\n+new\n";
    const report = await workspace.fs.applyPatch(CHANGE + ADD("c.txt") + wrong);
    expect(report).toEqual({
      applied: false,
      files: [
        { path: "a.txt", change: "modified", status: "fits", hunks: [{ line: 3, start: 1, status: "fits" }] },
        { path: "c.txt", change: "added", status: "fits", hunks: [{ line: 12, start: 0, status: "fits" }] },
        {
          path: "b.txt",
          change: "modified",
          status: "rejected",
          reason: "Some hunks do not fit the file.",
          hunks: [{ line: 16, start: 1, status: "rejected", expected: ["other"], found: ["b"] }],
        },
      ],
    });
    expect(await contentsOf(tree)).toEqual(before);
  });

  test("of a file that is missing, or to a name that is taken, is told so", async () => {
    const { workspace, tree } = await openTestWorkspace({ "a.txt": A });
    const missing = await workspace.fs.applyPatch(CHANGE.replaceAll("a.txt", "none.txt"));
    expect(missing.files[0]).toMatchObject({ status: "rejected", reason: "There is no such file.", hunks: [] });
    const taken = await workspace.fs.applyPatch(ADD("a.txt"));
    expect(taken.files[0]).toMatchObject({ status: "rejected", reason: "The file exists already." });
    expect(await contentsOf(tree)).toEqual({ "a.txt": A });
  });

  test("that git takes otherwise than the search for lines is told in git's words", async () => {
    const { workspace } = await openTestWorkspace({ "a.txt": "one" });
    const report = await workspace.fs.applyPatch("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
    expect(report).toMatchObject({ applied: false, files: [{ status: "rejected", reason: /patch/ }] });
  });

  test("of a file without a last line feed is taken", async () => {
    const { workspace } = await openTestWorkspace({ "a.txt": "one" });
    const end = "\\ No newline at end of file\n";
    await workspace.fs.applyPatch(`--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n-one\n${end}+two\n+three\n${end}`);
    expect((await workspace.fs.read("a.txt")).content).toBe("two\nthree");
  });

  test("that is refused for its last file has changed none", async () => {
    const { workspace, tree } = await openTestWorkspace({ "a.txt": A });
    for (const bad of [ADD("../x"), ADD("link", "120000"), ADD(".git/config")]) {
      await expect(workspace.fs.applyPatch(CHANGE + bad)).rejects.toMatchObject({ name: "BAD_REQUEST" });
    }
    expect(await contentsOf(tree)).toEqual({ "a.txt": A });
  });

  test("neither writes nor reads through symlinks that are there", async () => {
    const outside = await temporaryFolder();
    await writeFile(join(outside, "a.txt"), A);
    const { workspace, tree } = await openTestWorkspace({ "a.txt": A });
    await symlink(outside, join(tree, "out"));
    await symlink(join(outside, "a.txt"), join(tree, "file"));
    for (const path of ["out/a.txt", "file"]) {
      await expect(workspace.fs.applyPatch(CHANGE.replaceAll("a.txt", path))).rejects.toMatchObject({
        name: "BAD_REQUEST",
      });
    }
    await expect(workspace.fs.applyPatch(ADD("out/new"))).rejects.toMatchObject({ name: "BAD_REQUEST" });
    await expect(workspace.fs.applyPatch(ADD("A.txt"))).rejects.toMatchObject({ name: "CONFLICT" });
    expect(await contentsOf(outside)).toEqual({ "a.txt": A });
  });

  test("is finished after a crash in the middle", async () => {
    const { workspace, folder } = await openTestWorkspace({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
    const paths = toWorkspaceFolder(join(folder, "run"));
    // As a crash leaves it: `a.txt` is in its place already, the rest is not.
    await workspace.fs.write("a.txt", "new a\n");
    await mkdir(paths.pending);
    await writeFile(join(paths.pending, "1"), "new b\n");
    await writeFile(
      join(paths.pending, "plan.json"),
      JSON.stringify({ writes: ["a.txt", "x/b.txt"], removes: ["b.txt", "c.txt"] }),
    );
    expect((await workspace.fs.read("x/b.txt")).content).toBe("new b\n");
    expect(await contentsOf(paths.tree)).toEqual({ "a.txt": "new a\n", "x/b.txt": "new b\n" });
    await finishPending(paths);
    expect(await readdir(paths.root)).not.toContain("pending");
  });

  test("made by git from any two texts turns one into the other, and its inverse back", async () => {
    const { workspace } = await openTestWorkspace({ "a.txt": "x\n" });
    const folder = await temporaryFolder();
    const line = fc.constantFrom(
      "a",
      "b",
      "",
      " ",
      "--- a/x",
      "+++ b/x",
      "@@ -1 +1 @@",
      "-- ",
      "\\ x",
      "é",
      "\t",
      "x\r",
    );
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, end]) => lines.join("\n") + (end ? "\n" : ""));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        await writeFile(join(folder, "before"), before);
        await writeFile(join(folder, "after"), after);
        await workspace.fs.write("a.txt", before);
        expect((await workspace.fs.applyPatch(diff(folder, "before", "after"))).applied).toBe(true);
        expect((await workspace.fs.read("a.txt")).content).toBe(after);
        expect((await workspace.fs.applyPatch(diff(folder, "after", "before"))).applied).toBe(true);
        expect((await workspace.fs.read("a.txt")).content).toBe(before);
      }),
      { numRuns: 25 },
    );
  });
});

function diff(cwd: string, from: string, to: string): string {
  const args = ["diff", "--no-index", "--no-color", "--", from, to];
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  try {
    return execFileSync("git", args, { cwd, encoding: "utf8", env });
  } catch (error) {
    if (!(error instanceof Error && "stdout" in error)) throw error;
    return String(error.stdout)
      .replace(/^(diff --git).*$/m, "$1 a/a.txt b/a.txt")
      .replace(/^--- .*$/m, "--- a/a.txt")
      .replace(/^\+\+\+ .*$/m, "+++ b/a.txt");
  }
}

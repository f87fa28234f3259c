import { describe, expect, test } from "vitest";
import { readPatch } from "../../../../../server/capabilities/workspace/patch/read-patch.ts";

const CHANGE = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n";
const ADD = (path: string, mode = "100644") =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+new\n`;

describe("reading a patch", () => {
  const header = (from: string, to: string) => `--- ${from}\n+++ ${to}\n@@ -1 +1 @@\n-one\n+two\n`;
  test.each<readonly [what: string, patch: string, reason: RegExp]>([
    ["nothing", "\n\n", /no diff/],
    ["prose before it", `Here it is:\n${CHANGE}`, /neither/],
    ["prose after it", `${CHANGE}and so on\n`, /neither/],
    ["a fence", `\`\`\`diff\n${CHANGE}\`\`\`\n`, /neither/],
    ["paths above the root", header("a/../x", "b/../x"), /`\.\.`/],
    ["absolute paths", header("/etc/passwd", "/etc/passwd"), /does not begin/],
    ["absolute paths behind a prefix", header("a//etc/passwd", "b//etc/passwd"), /absolute/],
    ["paths without a prefix", header("a.txt", "a.txt"), /does not begin/],
    ["git's folder", ADD(".git/hooks/post-checkout"), /git's own/],
    ["git's folder in disguise", ADD("x/.GIT /config"), /git's own/],
    ["quoted paths", 'diff --git "a/\\303\\251" "b/\\303\\251"\n', /quoted/],
    ["quoted names", header('"a/\\056\\056/x"', '"b/\\056\\056/x"'), /quoted/],
    ["a quotation mark in a path", header('a/x"y', 'b/x"y'), /quotation/],
    ["a symlink", ADD("link", "120000"), /symlinks/],
    ["a symlink and a file through it", ADD("link", "120000") + ADD("link/x"), /symlinks/],
    ["a change of a symlink", `diff --git a/l b/l\nindex 1..2 120000\n${header("a/l", "b/l")}`, /symlinks/],
    ["a change into a symlink", "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 120000\n", /symlinks/],
    ["a submodule", ADD("sub", "160000"), /submodules/],
    ["another mode", ADD("x", "100777"), /100777/],
    ["setuid", ADD("x", "104755"), /104755/],
    ["binary", "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\n", /binary/],
    ["binary in words", "diff --git a/x b/x\nBinary files a/x and b/x differ\n", /binary/],
    ["a copy", "diff --git a/a.txt b/c\nsimilarity index 100%\ncopy from a.txt\ncopy to c\n", /copies/],
    ["the same file twice", CHANGE + CHANGE, /twice/],
    ["a file that is a folder as well", ADD("x") + ADD("x/y"), /both a file and a folder/],
    ["headers that disagree", `diff --git a/x b/x\n${header("a/a.txt", "b/a.txt")}`, /different files/],
    ["names that differ", header("a/a.txt", "b/b.txt"), /rename/],
    ["half a rename", "diff --git a/a b/b\nrename from a\n", /missing/],
    ["a rename to elsewhere", "diff --git a/a b/b\nrename from a\nrename to ../b\n", /`\.\.`/],
    ["too few lines", CHANGE.replace("-1,3 +1,3", "-1,4 +1,4"), /counts 4 old/],
    ["too many lines", CHANGE.replace("-1,3 +1,3", "-1,2 +1,2"), /counts no more/],
    ["a hunk that changes nothing", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n one\n", /changes nothing/],
    ["no hunk", "--- a/a.txt\n+++ b/a.txt\n", /hunk/],
    ["nothing on both sides", header("/dev/null", "/dev/null"), /both sides/],
    ["an old line of a new file", "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-one\n+two\n", /older/],
    ["a NUL", CHANGE.replace("two", "t\0o"), /not text/],
    ["a carriage return in a header", CHANGE.replaceAll("\n", "\r\n"), /cannot be seen/],
  ])("refuses %s", (_, patch, reason) => {
    const refusal = expect.objectContaining({ name: "BAD_REQUEST", message: expect.stringMatching(reason) });
    expect(() => readPatch(patch)).toThrow(refusal);
  });

  test("names the line that is wrong", () => {
    expect(() => readPatch(CHANGE + ADD("../x"))).toThrow("refused at line 11: the path `../x`");
  });

  test("tells the paths of a file whose name has blanks, and of one that only changes its mode", () => {
    expect(readPatch("diff --git a/a b/c b/a b/c\nold mode 100644\nnew mode 100755\n")).toEqual([
      { change: "modified", path: "a b/c", from: "a b/c", executable: true, hunks: [] },
    ]);
    expect(readPatch("--- a/a b\t2026-01-01\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n")[0]).toMatchObject({ path: "a b" });
  });

  test("takes an empty line for an empty line of context", () => {
    const [patch] = readPatch("--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n\n-x\n+y\n\n");
    expect(patch?.hunks[0]).toMatchObject({ before: ["", "x", ""], after: ["", "y", ""] });
  });
});

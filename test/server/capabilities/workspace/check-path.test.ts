import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkPath, findPathFault } from "../../../../server/capabilities/workspace/check-path.ts";
import { foldName } from "../../../../server/text/fold-name.ts";

const REFUSED: readonly (readonly [path: string, reason: RegExp])[] = [
  ["", /empty/],
  ["/etc/passwd", /absolute/],
  ["//etc/passwd", /absolute/],
  ["..", /`\.\.`/],
  ["../x", /`\.\.`/],
  ["a/../../x", /`\.\.`/],
  ["a/./b", /`\.`/],
  ["a//b", /empty name/],
  ["a/", /empty name/],
  ["a\0b", /cannot be seen/],
  ["a\nb", /cannot be seen/],
  ["a\u{7f}b", /cannot be seen/],
  ["a\u{85}b", /cannot be seen/],
  ["a\u{2028}b", /cannot be seen/],
  ["photo\u{202e}gpj.exe", /cannot be seen/],
  ["a\\b", /backslash/],
  ["..\\x", /backslash/],
  ["C:\\x", /backslash/],
  ["\u{d800}", /well-formed/],
  ["a\u{fffd}", /replacement/],
  ["e\u{301}.txt", /normalisation form C/],
  [".git", /git's own/],
  [".git/config", /git's own/],
  ["sub/.git/hooks/pre-commit", /git's own/],
  [".GIT/config", /git's own/],
  [".Git", /git's own/],
  ["git~1", /git's own/],
  ["GIT~1/config", /git's own/],
  ["git~12", /git's own/],
  [".git.", /git's own/],
  [".git ", /git's own/],
  [".git . .", /git's own/],
  [".git::$INDEX_ALLOCATION/config", /git's own/],
  [".git:x", /git's own/],
  [".g\u{200c}it/config", /cannot be seen/],
  ["\u{feff}.git", /cannot be seen/],
  [".git\u{200d}", /cannot be seen/],
  ["\u{ff0e}git", /git's own/],
  [".\u{ff27}IT", /git's own/],
  ["a./b", /dot or a space/],
  ["a ", /dot or a space/],
  ["x".repeat(256), /255 bytes/],
  ["x/".repeat(40) + "x", /deeper/],
  ["é/".repeat(400) + "x", /1024 bytes/],
];

describe("a path of a workspace", () => {
  test.each(REFUSED)("%j is refused, with the reason", (path, reason) => {
    expect(findPathFault(path)).toMatch(reason);
    expect(() => checkPath(path)).toThrow(expect.objectContaining({ name: "BAD_REQUEST" }));
  });

  test.each([
    "a",
    "a/b.ts",
    ".gitignore",
    ".github/x.yml",
    "gite",
    "git~",
    "dir/..a",
    "a..b",
    "zürich/日本.md",
    "a b",
    "x:y",
  ])("%j is taken", (path) => expect(checkPath(path)).toEqual(path.split("/")));

  test("that is taken has no name that means another place to anyone", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "\\",
      ".git",
      "GIT~1",
      "a",
      " ",
      ".",
      "\0",
      "\u{200c}",
      "é",
      ":",
      "~",
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const path = pieces.join("");
        if (findPathFault(path) !== undefined) return;
        for (const name of path.split("/")) {
          expect(["", ".", ".."]).not.toContain(name);
          expect(foldName(name).replace(/:.*|[. \u{200c}]+$/gsu, "")).not.toMatch(/^(?:\.git|git~\d+)$/);
        }
      }),
    );
  });

  test("is shown in a refusal without what could forge the message", () => {
    expect(() => checkPath("a\u{202e}`\nb")).toThrow("`a\\u{202e}\\u{60}\\nb`");
  });
});

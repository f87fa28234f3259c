import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findOwners, readCodeOwners } from "../../../../../server/forge/github/reviews/code-owners.ts";

/** The paths that a pattern is about. */
function about(pattern: string, ...paths: readonly string[]): readonly string[] {
  const codeOwners = readCodeOwners(`${pattern} @ada`);
  return paths.filter((path) => findOwners(codeOwners, path).length > 0);
}

/** Names without what patterns and lines read in their own way. */
const name = fc.stringMatching(/^[a-z.*?][a-z.]{0,5}$/).filter((text) => !/[*?]/.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
/** Patterns of all kinds, most of which are about some paths of few names. */
const step = fc.constantFrom("a", "b", "c", "*", "**", "a*", "?");
const pattern = fc
  .tuple(fc.constantFrom("", "/"), fc.array(step, { minLength: 1, maxLength: 4 }), fc.constantFrom("", "/"))
  .map(([start, steps, end]) => `${start}${steps.join("/")}${end}`);
const short = fc.array(fc.constantFrom("a", "b", "ab"), { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));

describe("a pattern of CODEOWNERS", () => {
  // The examples of GitHub's own page on code owners, and what it takes over from gitignore.
  test.each([
    ["*", ["a", "a/b/c.md"], []],
    ["*.js", ["a.js", "src/a.js", "a.js/b"], ["a.jsx", "js"]],
    ["/build/logs/", ["build/logs/a", "build/logs/b/c"], ["build/logs", "x/build/logs/a"]],
    ["docs/*", ["docs/getting-started.md"], ["docs/build-app/troubleshooting.md", "x/docs/a.md", "docs"]],
    ["apps/", ["apps/a", "x/apps/a/b"], ["apps", "my-apps/a"]],
    ["/apps/github", ["apps/github", "apps/github/a"], ["apps/github.md", "x/apps/github"]],
    ["**/logs", ["logs", "build/logs", "deeply/nested/logs/a.log"], ["blogs"]],
    ["/*", ["a"], ["a/b"]],
    ["/*/", ["a/b", "a/b/c"], ["a"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b/c"], ["a", "x/a/b"]],
    ["a/**", ["a/b", "a/b/c"], ["a"]],
    ["**/docs/*", ["docs/a", "x/docs/a"], ["docs/a/b"]],
    ["a?c", ["abc"], ["ac", "a/c"]],
    ["/", [], ["a", "a/b"]],
    ["my\\ file.md", ["my file.md"], ["my", "file.md"]],
    ["a\\*b", ["a*b"], ["axb"]],
    ["Docs/", [], ["docs/a"]],
    ["a+(b).ts", ["a+(b).ts"], ["aa(b).ts", "ab.ts"]],
  ])("`%s` is about %j and not about %j", (line, its, others) => {
    expect(about(line, ...its, ...others)).toEqual(its);
  });

  test("that is a whole path is about that file and what lies below it, and about nothing else", () => {
    fc.assert(
      fc.property(short, short, (own, other) => {
        expect(about(`/${own}`, other)).toEqual(other === own || other.startsWith(`${own}/`) ? [other] : []);
      }),
    );
  });

  test("of one name is about it in every folder, as with two stars before it", () => {
    fc.assert(
      fc.property(fc.constantFrom("a", "b", "ab"), short, (own, other) => {
        expect(about(own, other)).toEqual(about(`**/${own}`, other));
        expect(about(own, other)).toEqual(other.split("/").includes(own) ? [other] : []);
      }),
    );
  });

  test("with a slash at its end is about what two stars there are", () => {
    fc.assert(
      fc.property(pattern, short, (line, other) => {
        fc.pre(line.endsWith("/") && line.slice(1, -1).includes("/"));
        expect(about(line, other)).toEqual(about(`${line}**`, other));
      }),
    );
  });

  test("is about what an expression says that is made of it step by step", () => {
    fc.assert(
      fc.property(pattern, short, (line, other) => {
        expect(about(line, other)).toEqual(toExpression(line).test(`/${other}`) ? [other] : []);
      }),
    );
  });

  test("that is hostile is read in no time", () => {
    const started = performance.now();
    about(`/${"a*".repeat(2_000)}b`, "a".repeat(4_000));
    about(`/${"**/a/".repeat(200)}b`, "a/".repeat(1_000));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

/** Says a pattern another way: as a regular expression over a path with a slash before it. */
function toExpression(line: string): RegExp {
  const inner = line.replace(/^\//, "").replace(/\/$/, "");
  const isAnywhere = !line.startsWith("/") && !inner.includes("/");
  const steps = inner
    .split("/")
    .map((one) => (one === "**" ? "(?:/[^/]+)*" : `/${one.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}`));
  const end = line.endsWith("/") || inner.endsWith("**") ? "(?:/[^/]+)+" : /(?:^|\/)\*$/.test(inner) ? "" : "(?:/.*)?";
  return new RegExp(`^${isAnywhere ? "(?:/[^/]+)*" : ""}${steps.join("")}${end}$`);
}

describe("the owners of a file", () => {
  test("are those of the last line that is about it", () => {
    const codeOwners = readCodeOwners(
      "* @ada @grace\r\n*.js @acme/web # for the page\n\n# *.js @nobody\n/docs/ docs@example.com\n",
    );
    expect(["a", "src/a.js", "docs/a.js"].map((one) => findOwners(codeOwners, one))).toEqual([
      ["ada", "grace"],
      ["acme/web"],
      ["docs@example.com"],
    ]);
  });

  test("are none where the last line names none, and where no line is about it", () => {
    const codeOwners = readCodeOwners("/apps/ @octocat\n/apps/github # open to all\n");
    expect(["apps/a", "apps/github/a", "b"].map((one) => findOwners(codeOwners, one))).toEqual([["octocat"], [], []]);
  });

  test.each(["!a @bob", "[ab] @bob", "\\#a @bob", "a*** @bob", "a bob", "a @bob @", "a @bob @x/y/z", "@"])(
    "are not changed by a line that GitHub does not take: `%s`",
    (line) => {
      expect(findOwners(readCodeOwners(`a @ada\n${line}\n`), "a")).toEqual(["ada"]);
    },
  );

  test("are of the last line that is about it, whatever stands before", () => {
    const lines = fc.array(fc.tuple(pattern, fc.constantFrom("", "@ada", "@acme/web a@example.com")), { maxLength: 6 });
    fc.assert(
      fc.property(lines, short, (all, other) => {
        const [, owners = ""] = all.findLast(([line]) => about(line, other).length > 0) ?? [];
        const expected = owners
          .split(" ")
          .filter(Boolean)
          .map((word) => word.replace(/^@/, ""));
        const text = all.map((line) => line.join(" ")).join("\n");
        expect(findOwners(readCodeOwners(text), other)).toEqual(expected);
      }),
    );
  });

  test("are read of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), path, (text, one) => void findOwners(readCodeOwners(text), one)),
    );
  });
});

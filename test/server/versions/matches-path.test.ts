import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findGlobMistake, matchesPath } from "../../../server/versions/matches-path.ts";

describe("matchesPath", () => {
  it.each([
    ["README.md", "README.md", true],
    ["README.md", "readme.md", false],
    ["README.md", "docs/README.md", false],
    ["*.ts", "main.ts", true],
    ["*.ts", "server/main.ts", false],
    ["*.ts", ".ts", true],
    ["*", ".env", true],
    ["**", ".github/workflows/ci.yml", true],
    ["server/**", "server/a/b.ts", true],
    ["server/**", "server/.hidden/b.ts", true],
    ["server/**", "server", false],
    ["server/**", "servers/a.ts", false],
    ["**/*.sh", "run.sh", true],
    ["**/*.sh", "a/b/run.sh", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/x/y/c", false],
    ["a/**/b/**/c", "a/b/x/b/x/c", true],
    ["a/**/b/*", "a/b/c/b/d", true],
    ["**/b/c", "b/b/c", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["a?c", "ac", false],
    ["?.md", "\u{1f600}.md", true],
    ["a*b*c", "aXbXbc", true],
    ["a*b*c", "aXbXb", false],
    ["a.b", "axb", false],
    ["a+(b)", "ab", false],
  ])("`%s` and `%s`: %s", (glob, path, answer) => {
    expect(matchesPath(glob, path)).toBe(answer);
  });

  it("takes a path without wildcards for itself and nothing else", () => {
    const path = fc
      .array(fc.string({ unit: fc.constantFrom("a", "b", ".", "+", "$", "^"), minLength: 1, maxLength: 4 }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect([matchesPath(one, one), matchesPath(one, other)]).toEqual([true, one === other]);
      }),
    );
  });

  it("says the same as a regular expression for it", () => {
    const five = { minLength: 1, maxLength: 5 };
    const paths = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), ...five }), five);
    const part = fc
      .string({ unit: fc.constantFrom("a", "b", "?", "*"), ...five })
      .map((text) => text.replace(/\*+/g, "*"));
    const globs = fc.array(fc.oneof(fc.constant("**"), part), five);
    fc.assert(
      fc.property(globs, paths, (glob, path) => {
        const expected = toExpression(glob).test(path.join("/"));
        expect(matchesPath(glob.join("/"), path.join("/"))).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("is done at once with patterns that try every way", () => {
    const start = performance.now();
    expect(matchesPath(`${"*a".repeat(100)}b`, "a".repeat(4000))).toBe(false);
    expect(matchesPath(`${"**/a/".repeat(60)}b`, "a/".repeat(2000) + "a")).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

/** Small patterns only: such an expression may take very long. */
function toExpression(parts: readonly string[]): RegExp {
  const last = parts.length - 1;
  const text = parts.map((part, index) => {
    if (part === "**") return index === last ? "(?:[^/]+/)*[^/]+" : "(?:[^/]+/)*";
    const own = part.replaceAll("?", "[^/]").replaceAll("*", "[^/]*");
    return index === last ? own : `${own}/`;
  });
  return new RegExp(`^${text.join("")}$`);
}

describe("findGlobMistake", () => {
  it.each(["a", "a/b.ts", "**", "a/**/b*?.md", "*", ".github/**", "a+b=c@d, e!.md"])("finds none in `%s`", (glob) => {
    expect(findGlobMistake(glob)).toBeUndefined();
  });

  it.each([
    ["!a", "excluded"],
    ["a{b,c}", "`{`"],
    ["[ab]", "`[`"],
    ["+(a|b)", "`(`"],
    ["a\\*", "`\\`"],
    ["/a", "starts with `/`"],
    ["a//b", "empty part"],
    ["a/", "empty part"],
    ["a/./b", "`.`"],
    ["../a", "`..`"],
    ["a/**.ts", "stand alone"],
    ["***", "stand alone"],
  ])("finds one in `%s`", (glob, told) => {
    expect(findGlobMistake(glob)).toContain(told);
  });
});

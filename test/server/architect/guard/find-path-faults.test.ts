import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findPathFaults } from "../../../../server/architect/guard/find-path-faults.ts";

const FILES = ["manifests/runner/greet.yaml", "tools/runner/greet.ts", "tools/link", "docs/greet.md", "versions.yaml"];
const commit = { files: FILES, isText: (path: string) => path !== "tools/link" };
const faultOf = (...paths: string[]) => findPathFaults(paths, commit).map(({ message }) => message);

describe("findPathFaults", () => {
  test.each([
    "versions.yaml",
    "manifests/runner/greet.yaml",
    "manifests/runner/edge.bind.yaml",
    "tools/_lib/weather/units.ts",
    "schemas/a.schema.json",
    "test/tools/runner/greet.test.ts",
    "docs/new/page.md",
  ])("takes %s", (path) => {
    expect(faultOf(path)).toEqual([]);
  });

  test.each<[string, RegExp]>([
    [".github/workflows/ci.yml", /begins with a dot/],
    [".ci/run", /begins with a dot/],
    [".gitattributes", /begins with a dot/],
    ["docs/specs/01a20306_SPEC.md", /written by the service/],
    [".env", /begins with a dot/],
    ["test/.env", /begins with a dot/],
    ["tools/.git/hooks/pre-commit", /git's own folder/],
    ["tools/GIT~1/config", /git's own folder/],
    ["package.json", /settings/],
    ["package-lock.json", /settings/],
    ["test/package.json", /settings/],
    ["test/Package.JSON", /settings/],
    ["test/vitest.config.ts", /settings/],
    ["test/tsconfig.json", /settings/],
    ["docs/AGENTS.md", /settings or instructions/],
    ["docs/CLAUDE.md", /settings or instructions/],
    ["tools/node_modules/a/index.ts", /settings/],
    ["server/main.ts", /plans write/],
    ["README.md", /plans write/],
    ["scripts/release.ts", /plans write/],
    ["bin/cairn.mjs", /plans write/],
    ["manifests/runner/greet.yml", /plans write/],
    ["tools/runner/greet.js", /plans write/],
    ["docs/picture.svg", /plans write/],
    ["manifests", /plans write/],
    ["../other/manifests/a.yaml", /`\.\.`/],
    ["manifests/../.github/workflows/a.yaml", /`\.\.`/],
    ["manifests/./a.yaml", /`\.`/],
    ["/etc/passwd", /absolute/],
    ["manifests//a.yaml", /empty name/],
    ["manifests\\..\\a.yaml", /backslash/],
    ["manifests/runner/gre\u202eet.yaml", /cannot be seen/],
    ["manifests/runner/gr\u200beet.yaml", /cannot be seen/],
    ["manifests/runner/gr\u0435et.yaml", /ASCII/],
    ["manifests/runner/gre\u0301et.yaml", /normalisation/],
    ["manifests/runner/a b.yaml", /ASCII/],
    ["manifests/runner/a.yaml ", /dot or a space/],
    ["manifests/runner/Greet.yaml", /some file systems take/],
    ["Manifests/runner/a.yaml", /plans write/],
    ["tools/Runner/new.ts", /some file systems take/],
    ["tools/link", /plans write/],
    ["tools/link/inside.ts", /is a file or a link/],
    ["docs/greet.md/a.md", /is a file or a link/],
    ["__proto__", /plans write/],
  ])("refuses %s", (path, fault) => {
    expect(faultOf(path)).toEqual([expect.stringMatching(fault)]);
  });

  test("refuses what is there and is no text", () => {
    const files = ["docs/binary.md"];
    expect(findPathFaults(files, { files, isText: () => false })).toHaveLength(1);
  });

  test("refuses two new paths that some file systems take for one", () => {
    expect(faultOf("docs/a.md", "docs/A.md")).toEqual([expect.stringMatching(/some file systems/)]);
  });

  test("takes nothing outside its folders, whatever is between", () => {
    const names = fc.constantFrom(
      "manifests",
      "tools",
      "test",
      "..",
      ".",
      "",
      ".git",
      ".github",
      "a",
      "a.yaml",
      "a.ts",
    );
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 6 }), (parts) => {
        const path = parts.join("/");
        if (faultOf(path).length > 0) return;
        expect(path).toMatch(/^(?:manifests\/.+\.yaml|tools\/.+\.ts|test\/.+\.(?:ts|yaml))$/);
        expect(parts.some((part) => part === "" || part.startsWith("."))).toBe(false);
      }),
    );
  });
});

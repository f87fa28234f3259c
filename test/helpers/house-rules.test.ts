import { describe, expect, test } from "vitest";
import {
  findCycles,
  findFolderBreaks,
  findFullFolders,
  findLayerBreaks,
  findLongFunctions,
  findVagueDocstrings,
  readSources,
} from "./house-rules.ts";

const sourcesOf = (files: Readonly<Record<string, string>>) => readSources(Object.entries(files));

describe("readSources", () => {
  test("sees static, dynamic and type imports and re-exports, and no packages", () => {
    const text = `
      import { a } from "./a.ts";
      import type { B } from "../b.ts";
      import "node:fs";
      export * from "./c.ts";
      export type { D } from "./d.ts";
      export const load = () => import("./deep/e.ts");
      export type F = import("./f.ts").F;
      // import "./not.ts"
    `;
    expect(sourcesOf({ "server/x/one.ts": text }).get("server/x/one.ts")?.imports.toSorted()).toEqual([
      "server/b.ts",
      "server/x/a.ts",
      "server/x/c.ts",
      "server/x/d.ts",
      "server/x/deep/e.ts",
      "server/x/f.ts",
    ]);
  });

  test("names a function by its declaration, variable or property, and a closure by what it stands in", () => {
    const text = `
      export function one() {
        [1].map(() => 2);
      }
      const two = () => 1;
      export const three = { four: () => 1 };
    `;
    expect(sourcesOf({ "a.ts": text }).get("a.ts")?.functions).toEqual([
      { name: "one", lines: 3 },
      { name: "one", lines: 1 },
      { name: "two", lines: 1 },
      { name: "four", lines: 1 },
    ]);
  });

  test("refuses a file that does not parse", () => {
    expect(() => sourcesOf({ "a.ts": "const = 1" })).toThrow("a.ts: ");
  });
});

describe("planted violations are found", () => {
  const layerOf = (file: string) => file.split("/")[1] ?? "";

  test("an import of a layer above, static or dynamic", () => {
    const sources = sourcesOf({
      "server/store/store.ts": `import { x } from "../http/http.ts";`,
      "server/store/late.ts": `export const late = async () => import("../http/http.ts");`,
      "server/http/http.ts": `import { y } from "../store/store.ts";`,
    });
    expect(findLayerBreaks(sources, ["store", "http"], layerOf)).toEqual([
      "server/store/store.ts imports server/http/http.ts",
      "server/store/late.ts imports server/http/http.ts",
    ]);
  });

  test("an import of a sub-folder above, and a sub-folder without a place", () => {
    const sources = sourcesOf({
      "server/semver/schemas/prove.ts": `import "../rules.ts";`,
      "server/semver/rules.ts": `import "./schemas/prove.ts";`,
      "server/semver/odd/odd.ts": "",
    });
    expect(findFolderBreaks(sources, { "server/semver": ["schemas", ""] })).toEqual([
      "server/semver/odd/odd.ts is in a folder without a place in server/semver",
      "server/semver/schemas/prove.ts imports server/semver/rules.ts",
    ]);
  });

  test("where a room's order leaves out its own files, they may be imported by all of it", () => {
    const sources = sourcesOf({
      "server/versions/git/read.ts": `import "../version.ts"; import "../mirror/mirror.ts";`,
      "server/versions/mirror/mirror.ts": `import "../git/read.ts";`,
      "server/versions/version.ts": `import "./mirror/mirror.ts";`,
    });
    expect(findFolderBreaks(sources, { "server/versions": ["git", "mirror"] })).toEqual([
      "server/versions/git/read.ts imports server/versions/mirror/mirror.ts",
    ]);
  });

  test("a circle of imports", () => {
    const sources = sourcesOf({ "a.ts": `import "./b.ts";`, "b.ts": `export const a = () => import("./a.ts");` });
    expect(findCycles(sources)).toEqual(["a.ts -> b.ts -> a.ts"]);
  });

  test("a docstring that does not begin by naming its subject", () => {
    const text = [
      "/** Whether it is open. */",
      "/**\n * The same of others. */",
      "  /** It ends. */",
      "/** Items of a list. It has no end. */",
      "// What comes next.",
      "/** Whose list it is. */",
    ];
    expect(findVagueDocstrings("a.ts", text.join("\n"))).toEqual([
      "a.ts:1 Whether it is",
      "a.ts:2 The same of",
      "a.ts:4 It ends.",
    ]);
  });

  test("a function over the limit, closures included", () => {
    const sources = sourcesOf({ "a.ts": `export function long() {\n\n\n}\nconst short = () => {\n};` });
    expect(findLongFunctions(sources, 3)).toEqual(["a.ts long"]);
    expect(findLongFunctions(sources, 4)).toEqual([]);
  });

  test("a folder with too many files, whatever its sub-folders hold", () => {
    const sources = sourcesOf({ "x/a.ts": "", "x/b.ts": "", "x/y/c.ts": "" });
    expect(findFullFolders(sources, 1)).toEqual(["x (2)"]);
    expect(findFullFolders(sources, 2)).toEqual([]);
  });
});

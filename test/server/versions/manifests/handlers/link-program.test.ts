import { describe, expect, it } from "vitest";
import { linkProgram } from "../../../../../server/versions/manifests/handlers/link-program.ts";
import type { Module } from "../../../../../server/versions/manifests/handlers/read-module.ts";

function modules(graph: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, Module> {
  const at = { line: 1, column: 1 };
  return new Map(
    Object.entries(graph).map(([path, targets]) => [
      path,
      {
        path,
        code: `// ${path}`,
        hasDefault: true,
        imports: targets.map((target) => ({ target, specifier: target, names: [], at })),
      },
    ]),
  );
}

describe("linkProgram", () => {
  it("takes handlers and what they reach, also in circles, and nothing else", () => {
    const graph = modules({ a: ["b"], b: ["c", "a"], c: ["c"], d: ["c"], e: [] });
    expect([...linkProgram("c1", ["a", "e"], graph, 64).modules.keys()]).toEqual(["a", "b", "c", "e"]);
  });

  it("[C4] has the commit as its key, so that two versions of the same code keep apart", () => {
    const graph = modules({ a: [] });
    expect([linkProgram("c1", ["a"], graph, 64).key, linkProgram("c2", ["a"], graph, 64).key]).toEqual(["c1", "c2"]);
  });
});

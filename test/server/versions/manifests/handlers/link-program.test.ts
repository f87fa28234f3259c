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
        imports: targets.map((target) => ({ target, specifier: target, at })),
      },
    ]),
  );
}

describe("linkProgram", () => {
  it("takes handlers and what they reach, also in circles, and nothing else", () => {
    const graph = modules({ a: ["b"], b: ["c", "a"], c: ["c"], d: ["c"], e: [] });
    expect([...linkProgram(["a", "e"], graph, 64).modules.keys()]).toEqual(["a", "b", "c", "e"]);
  });

  it("has the same key for the same code and memory, however they were found", () => {
    const key = linkProgram(["a", "b"], modules({ a: [], b: ["c"], c: [] }), 64).key;
    expect(linkProgram(["b", "a"], modules({ c: [], b: ["c"], a: [], d: [] }), 64).key).toBe(key);
    expect(linkProgram(["a", "b"], modules({ a: [], b: ["c"], c: [] }), 128).key).not.toBe(key);
    expect(linkProgram(["a"], modules({ a: [], b: ["c"], c: [] }), 64).key).not.toBe(key);
  });
});

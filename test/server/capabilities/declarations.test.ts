import { describe, expect, test } from "vitest";
import { listDeclarations } from "../../../server/capabilities/declaration.ts";
import { DECLARATIONS, findDeclaration, SYSCALLS } from "../../../server/capabilities/declarations.ts";

const all = listDeclarations(DECLARATIONS);

describe("the declarations of syscalls", () => {
  test("name each syscall once", () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(findDeclaration("state.get")).toEqual({
      name: "state.get",
      takes: ["key"],
      needs: "state.read",
      inPreviews: true,
    });
    expect(findDeclaration("toString")).toBeUndefined();
  });

  test("need no grant that manifests cannot give, and leave none without a use but clock and chance", () => {
    const needed = new Set<string>(all.flatMap(({ needs }) => (needs === undefined ? [] : [needs])));
    expect(SYSCALLS.filter((word) => !needed.has(word))).toEqual(["clock", "random"]);
    expect([...needed].filter((word) => !SYSCALLS.some((known) => known === word))).toEqual([]);
  });

  test("keep previews from the repository, upstreams, the files and commands of runs, and the operator's model", () => {
    const refused = all.filter(({ inPreviews }) => inPreviews !== true).map(({ name }) => name);
    expect(refused.map((name) => name.split(".")[0]).filter((family, at, list) => list.indexOf(family) === at)).toEqual(
      ["lineage", "mcp", "model", "run", "fs", "exec", "git", "repository"],
    );
    expect(refused.filter((name) => /^(?:lineage|run)/.test(name))).toEqual([
      "lineage.export",
      "run.propose",
      "run.judge",
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { layOutGraph } from "../../../../console/pages/versions/lay-out-graph.ts";

const draw = (...nodes: readonly (readonly [commit: string, parent?: string])[]) =>
  layOutGraph(nodes.map(([commit, parent]) => (parent === undefined ? { commit } : { commit, parent }))).map(
    ({ lane, lines }) => `${lane}: ${lines.map(({ from, to, part }) => `${part} ${from}-${to}`).join(", ")}`,
  );

describe("the graph of versions", () => {
  test("is one column where each version follows another", () => {
    expect(draw(["c", "b"], ["b", "a"], ["a"])).toEqual(["0: out 0-0", "0: in 0-0, out 0-0", "0: in 0-0"]);
  });

  test("gives a branch a column, and lets it join its parent", () => {
    expect(draw(["d", "b"], ["c", "a"], ["b", "a"], ["a"])).toEqual([
      "0: out 0-0",
      "1: pass 0-0, out 1-1",
      "0: pass 1-1, in 0-0, out 0-1",
      "1: in 1-1",
    ]);
  });

  test("draws no line to a parent that is not in the list, is above, or is the version itself", () => {
    expect(draw(["b", "z"], ["a", "b"], ["c", "c"])).toEqual(["0: ", "0: ", "0: "]);
  });
});

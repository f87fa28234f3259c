import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphEdge } from "../../../../server/capabilities/knowledge/graph.ts";
import { reach, toChain } from "../../../../server/capabilities/knowledge/reach.ts";

const NODES = 12;
const node = fc.integer({ min: 0, max: NODES - 1 }).map((number) => `n${number}`);
const seeds = fc.array(node, { minLength: 1, maxLength: 3 });
const edges = fc
  .array(fc.tuple(node, node), { maxLength: 30 })
  .map((pairs) => pairs.map(([from, to]): GraphEdge => ({ from, to, why: "imports", file: "a.ts", line: 1 })));

const reachIn = (graph: readonly GraphEdge[], from: readonly string[]) =>
  reach(from, (id) => graph.filter(({ to }) => to === id));

/** The same by repeating: whoever has an edge to what is already in is in as well, until nothing is added. */
function closeNaively(graph: readonly GraphEdge[], from: readonly string[]): Set<string> {
  const inside = new Set(from);
  for (let before = -1; before !== inside.size;) {
    before = inside.size;
    for (const edge of graph) if (inside.has(edge.to)) inside.add(edge.from);
  }
  return inside;
}

describe("what depends on a node, in any graph", () => {
  test("is the transitive closure, without the node itself", () => {
    fc.assert(
      fc.property(edges, seeds, (graph, from) => {
        const expected = [...closeNaively(graph, from)].filter((id) => !from.includes(id)).sort();
        expect([...reachIn(graph, from).keys()].sort()).toEqual(expected);
      }),
    );
  });

  test("grows with the graph and with what is asked about", () => {
    fc.assert(
      fc.property(edges, edges, seeds, seeds, (graph, more, from, others) => {
        const less = [...reachIn(graph, from).keys(), ...from];
        const all = new Set([...reachIn([...graph, ...more], [...from, ...others]).keys(), ...from, ...others]);
        expect(less.filter((id) => !all.has(id))).toEqual([]);
      }),
    );
  });

  test("comes with a chain of edges to what was asked about, as long as the distance and in order of it", () => {
    fc.assert(
      fc.property(edges, seeds, (graph, from) => {
        const reached = reachIn(graph, from);
        let last = 0;
        for (const { id, distance } of reached.values()) {
          const chain = toChain(reached, id);
          const ends = [id, ...chain.map(({ to }) => to)];
          expect(chain.map((edge) => edge.from)).toEqual(ends.slice(0, -1));
          expect(chain.every((edge) => graph.includes(edge))).toBe(true);
          expect(from).toContain(ends.at(-1));
          expect(chain).toHaveLength(distance);
          expect(distance).toBeGreaterThanOrEqual(last);
          last = distance;
        }
      }),
    );
  });

  test("takes no shorter way than there is", () => {
    fc.assert(
      fc.property(edges, seeds, (graph, from) => {
        for (const { id, distance } of reachIn(graph, from).values()) {
          const steps = Array.from({ length: distance }).reduce<Set<string>>(
            (near) => new Set([...near, ...graph.filter(({ to }) => near.has(to)).map((edge) => edge.from)]),
            new Set(from),
          );
          expect(steps.has(id)).toBe(true);
          const before = Array.from({ length: distance - 1 }).reduce<Set<string>>(
            (near) => new Set([...near, ...graph.filter(({ to }) => near.has(to)).map((edge) => edge.from)]),
            new Set(from),
          );
          expect(before.has(id)).toBe(false);
        }
      }),
      { numRuns: 50 },
    );
  });
});

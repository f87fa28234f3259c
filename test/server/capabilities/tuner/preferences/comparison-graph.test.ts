import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Edge, stronglyConnected } from "../../../../../server/capabilities/tuner/preferences/comparison-graph.ts";

test("components are the items that can reach each other, by the definition", () => {
  const graphs = fc.integer({ min: 1, max: 8 }).chain((count) => {
    const item = fc.integer({ min: 0, max: count - 1 });
    return fc.tuple(fc.constant(count), fc.array(fc.tuple(item, item), { maxLength: 16 }));
  });
  fc.assert(
    fc.property(graphs, ([count, edges]: readonly [number, readonly Edge[]]) => {
      const all = Array.from({ length: count }, (_, item) => item);
      const reach = all.map((from) => all.map((to) => from === to || edges.some(([a, b]) => a === from && b === to)));
      for (const via of all) {
        for (const row of reach) for (const to of all) row[to] ||= row[via] === true && reach[via]?.[to] === true;
      }
      const together = all.map((a) => all.filter((b) => reach[a]?.[b] && reach[b]?.[a]));
      expect(stronglyConnected(count, edges)).toEqual(together.filter((component, item) => component[0] === item));
    }),
  );
});

test("a chain of 100,000 items is walked", () => {
  const count = 100_000;
  const chain = Array.from({ length: count - 1 }, (_, item): Edge => [item, item + 1]);
  expect(stronglyConnected(count, chain)).toHaveLength(count);
  expect(stronglyConnected(count, [...chain, [count - 1, 0]])).toHaveLength(1);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Network, propagate } from "../../../../tools/_lib/beliefs/propagate.ts";

interface Edge {
  readonly source: number;
  readonly target: number;
  readonly weight: number;
}

function toNetwork(nodes: readonly { belief: number; energy: bigint }[], edges: readonly Edge[]): Network {
  return {
    beliefs: Float64Array.from(nodes, ({ belief }) => belief),
    energies: nodes.map(({ energy }) => energy),
    sources: Uint32Array.from(edges, ({ source }) => source),
    targets: Uint32Array.from(edges, ({ target }) => target),
    weights: Float64Array.from(edges, ({ weight }) => weight),
  };
}

const step = (...graph: Parameters<typeof toNetwork>) => propagate(toNetwork(...graph), () => Promise.resolve());

const WEIGHT = fc.oneof(
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((part) => part / 1_000),
  fc.constantFrom(0, 1e6, -1e6, 1e-6),
);

/** Edges lead from lower numbers to higher ones. */
const GRAPH = fc.integer({ min: 2, max: 12 }).chain((size) =>
  fc.record({
    nodes: fc.array(
      fc.record({
        belief: fc.oneof(
          fc.integer({ min: 0, max: 1e9 }).map((part) => part / 1e9),
          fc.constantFrom(0, 1),
        ),
        energy: fc.bigInt({ min: 0n, max: 10n ** 18n }),
      }),
      { minLength: size, maxLength: size },
    ),
    edges: fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: size - 2 }), fc.integer({ min: 1, max: size - 1 }), WEIGHT)
        .map(([a, b, weight]) => ({ source: Math.min(a, b - 1), target: Math.max(a + 1, b), weight })),
      { maxLength: 40 },
    ),
  }),
);

describe("propagate", () => {
  test("takes the mean of a node's belief and those that lead to it, by weight", async () => {
    const nodes = [
      { belief: 1, energy: 0n },
      { belief: 0.5, energy: 0n },
      { belief: 0.25, energy: 0n },
    ];
    const edges = [
      { source: 0, target: 2, weight: 2 },
      { source: 1, target: 2, weight: 1 },
    ];
    expect([...(await step(nodes, edges)).beliefs]).toEqual([1, 0.5, (0.25 + 2 + 0.5) / 4]);
  });

  test("takes the opposite where a weight is negative, and nothing where it is 0", async () => {
    const nodes = [
      { belief: 0.75, energy: 0n },
      { belief: 0, energy: 0n },
      { belief: 0.125, energy: 16n },
    ];
    const edges = [
      { source: 0, target: 1, weight: -1 },
      { source: 0, target: 2, weight: 0 },
    ];
    expect([...(await step(nodes, edges)).beliefs]).toEqual([0.75, 0.125, 0.125]);
  });

  test("passes a sixteenth of a node's energy on, by weight, and keeps what does not divide", async () => {
    const nodes = [
      { belief: 0, energy: 1_001n },
      { belief: 0, energy: 0n },
      { belief: 0, energy: 5n },
    ];
    const edges = [
      { source: 0, target: 1, weight: 1 },
      { source: 0, target: 2, weight: -3 },
    ];
    // A sixteenth is 62.56: a quarter of it is 15.64, three quarters are 46.92.
    expect((await step(nodes, edges)).energies).toEqual([1_001n - 15n - 46n, 15n, 51n]);
  });

  test("conserves energy exactly and leaves nobody with less than none", async () => {
    await fc.assert(
      fc.asyncProperty(GRAPH, async ({ nodes, edges }) => {
        const { energies } = await step(nodes, edges);
        const sum = (all: readonly bigint[]) => all.reduce((total, one) => total + one, 0n);
        expect(sum(energies)).toBe(sum(nodes.map(({ energy }) => energy)));
        expect(energies.every((energy) => energy >= 0n)).toBe(true);
      }),
    );
  });

  test("keeps every belief in [0, 1], and between the least and the most that it is the mean of", async () => {
    await fc.assert(
      fc.asyncProperty(GRAPH, async ({ nodes, edges }) => {
        const { beliefs } = await step(nodes, edges);
        for (const [node, belief] of beliefs.entries()) {
          const pulls = edges
            .filter(({ target, weight }) => target === node && weight !== 0)
            .map(({ source, weight }) => (weight > 0 ? nodes[source]?.belief : 1 - (nodes[source]?.belief ?? 0)) ?? 0);
          const all = [nodes[node]?.belief ?? 0, ...pulls];
          expect(belief).toBeGreaterThanOrEqual(Math.min(...all));
          expect(belief).toBeLessThanOrEqual(Math.max(...all));
          expect(belief >= 0 && belief <= 1).toBe(true);
        }
      }),
    );
  });

  test("comes out the same to the last bit in whatever order edges were bound", async () => {
    const shuffled = GRAPH.chain(({ nodes, edges }) =>
      fc.record({
        nodes: fc.constant(nodes),
        edges: fc.constant(edges),
        order: fc.shuffledSubarray([...edges.keys()], { minLength: edges.length }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ nodes, edges, order }) => {
        const reordered = order.flatMap((index) => edges[index] ?? []);
        expect(await step(nodes, reordered)).toEqual(await step(nodes, edges));
      }),
    );
  });
});

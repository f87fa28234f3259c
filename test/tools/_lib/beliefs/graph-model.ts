import fc from "fast-check";
import { PARTS, TOTAL_ENERGY, toParts } from "../../../../tools/_lib/beliefs/energy.ts";

export type Operation =
  | { readonly op: "create"; readonly belief: number; readonly energy: number }
  | { readonly op: "mutate"; readonly node: number; readonly delta: number }
  | { readonly op: "bind"; readonly src: number; readonly dst: number; readonly weight: number }
  | { readonly op: "propagate" };

interface ModelNode {
  belief: number;
  energy: bigint;
}

/** The belief graph as simply as it can be said, over arrays. */
export interface Model {
  readonly nodes: ModelNode[];
  readonly edges: { readonly src: number; readonly dst: number; readonly weight: number }[];
  /** Does it, and says the error that it must end with, or nothing. */
  apply(operation: Operation): string | undefined;
}

const part = (min: number, max: number) =>
  fc.integer({ min: min * 1_000, max: max * 1_000 }).map((thousandths) => thousandths / 1_000);
const NODE = fc.nat({ max: 12 });

/** Some of what they name does not exist, and some edges would close a cycle. */
export const OPERATION: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant("create" as const),
      belief: part(0, 1),
      energy: fc.oneof(part(0, 1_000), fc.constantFrom(0, 1e12, 3e11)),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("mutate" as const), node: NODE, delta: part(-2, 2) }) },
  {
    weight: 6,
    arbitrary: fc.record({ op: fc.constant("bind" as const), src: NODE, dst: NODE, weight: part(-1_000, 1_000) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("propagate" as const) }) },
);

export function createModel(): Model {
  const model: Model = {
    nodes: [],
    edges: [],
    apply(operation) {
      const { nodes, edges } = model;
      switch (operation.op) {
        case "create": {
          const energy = toParts(operation.energy);
          const held = nodes.reduce((sum, node) => sum + node.energy, 0n);
          if (held + energy > TOTAL_ENERGY) return "INVARIANT_VIOLATION";
          nodes.push({ belief: operation.belief, energy });
          return undefined;
        }
        case "mutate": {
          const node = nodes[operation.node];
          if (node === undefined) return "NODE_NOT_FOUND";
          const belief = Math.min(1, Math.max(0, node.belief + operation.delta));
          const cost = BigInt(Math.ceil(Math.abs(belief - node.belief) * Number(PARTS)));
          nodes[operation.node] = { belief, energy: node.energy > cost ? node.energy - cost : 0n };
          return undefined;
        }
        case "bind": {
          const { src, dst, weight } = operation;
          if (src >= nodes.length || dst >= nodes.length) return "NODE_NOT_FOUND";
          if (reaches(model, dst, src)) return "INVARIANT_VIOLATION";
          edges.push({ src, dst, weight });
          return undefined;
        }
        case "propagate":
          step(model);
          return undefined;
      }
    },
  };
  return model;
}

function reaches(model: Model, from: number, to: number): boolean {
  return from === to || model.edges.some(({ src, dst }) => src === from && reaches(model, dst, to));
}

function step({ nodes, edges }: Model): void {
  const before = nodes.map((node) => ({ ...node }));
  for (const [id, node] of nodes.entries()) {
    let weights = 1;
    let sum = node.belief;
    for (const { src, dst, weight } of edges) {
      const pull = before[src]?.belief ?? 0;
      if (dst === id) {
        weights += Math.abs(weight);
        sum += Math.abs(weight) * (weight > 0 ? pull : 1 - pull);
      }
    }
    node.belief = sum / weights;
  }
  const toWeight = ({ weight }: { weight: number }) => BigInt(Math.round(Math.abs(weight) * 1e6));
  for (const [id, { energy }] of before.entries()) {
    const out = edges.filter(({ src }) => src === id);
    const all = out.map(toWeight).reduce((sum, one) => sum + one, 0n);
    for (const edge of out) {
      const moved = all === 0n ? 0n : (energy * toWeight(edge)) / (all * 16n);
      const [source, target] = [nodes[id], nodes[edge.dst]];
      if (source === undefined || target === undefined) throw new Error("the model lost a node");
      source.energy -= moved;
      target.energy += moved;
    }
  }
}

import { toParts } from "./energy.ts";
import { type Ground, type Node, openGraph } from "./open-graph.ts";
import { readNumber } from "./read-input.ts";

const ENERGY_MAX = 1e12;

/** A new node, with energy from the reservoir; INVARIANT_VIOLATION where that has not as much left. */
export async function createNode(
  ground: Ground,
  input: { readonly belief: number; readonly energy: number },
): Promise<{ readonly id: number; readonly node: Node }> {
  const { fail } = ground;
  const belief = readNumber(fail, "belief", input.belief, 0, 1);
  const energy = toParts(readNumber(fail, "energy", input.energy, 0, ENERGY_MAX));
  const graph = await openGraph(ground);
  const { nodes: id, reservoir } = graph.head();
  if (energy > BigInt(reservoir)) {
    throw fail("INVARIANT_VIOLATION", "`energy` is more than the reservoir has left, and none can be made.");
  }
  const node: Node = { belief, energy, level: 0 };
  await graph.put(id, node);
  await graph.close({ op: "node.create", node: id, belief, energy: String(energy) });
  return { id, node };
}

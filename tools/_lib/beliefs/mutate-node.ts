import { PARTS } from "./energy.ts";
import { type Ground, type Node, openGraph } from "./open-graph.ts";
import { readNodeId, readNumber } from "./read-input.ts";
import { requireNode } from "./require-node.ts";

/**
 * Moves a belief by `delta`, but not out of [0, 1]. That consumes one unit of energy for a whole belief, and less for less,
 * rounded up, as far as the node has any: it returns to the reservoir.
 */
export async function mutateNode(
  ground: Ground,
  input: { readonly node_id: string; readonly delta: number },
): Promise<{ readonly id: number; readonly node: Node }> {
  const delta = readNumber(ground.fail, "delta", input.delta, -Number.MAX_VALUE, Number.MAX_VALUE);
  const named = readNodeId(ground.fail, "node_id", input.node_id);
  const graph = await openGraph(ground, [named]);
  const { id, node } = await requireNode(graph, ground, named);
  const belief = Math.min(1, Math.max(0, node.belief + delta));
  const cost = BigInt(Math.ceil(Math.abs(belief - node.belief) * Number(PARTS)));
  const changed: Node = { ...node, belief, energy: cost < node.energy ? node.energy - cost : 0n };
  await graph.put(id, changed);
  await graph.close({ op: "node.mutate", node: id, belief, energy: String(changed.energy) });
  return { id, node: changed };
}

import { type Ground, type Node, openGraph } from "./open-graph.ts";
import { readNodeId } from "./read-input.ts";
import { requireNode } from "./require-node.ts";

/** The node that the field `node_id` means; BAD_REQUEST if that is no id, NODE_NOT_FOUND if there is no such node. */
export async function findNode(ground: Ground, text: string): Promise<{ readonly id: number; readonly node: Node }> {
  const id = readNodeId(ground.fail, "node_id", text);
  return requireNode(await openGraph(ground, [id]), ground, id);
}

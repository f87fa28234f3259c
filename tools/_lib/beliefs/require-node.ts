import type { Graph, Ground, Node } from "./open-graph.ts";
import { readNodeId } from "./read-input.ts";

/** The node that the field `name` means; BAD_REQUEST if that is no id, NODE_NOT_FOUND if there is no such node. */
export async function requireNode(
  graph: Graph,
  { fail }: Pick<Ground, "fail">,
  name: string,
  value: string,
): Promise<{ readonly id: number; readonly node: Node }> {
  const id = readNodeId(fail, name, value);
  const node = id < BigInt(graph.head().nodes) ? await graph.find(Number(id)) : undefined;
  if (node === undefined) throw fail("NODE_NOT_FOUND", `Node not found: ${id}`);
  return { id: Number(id), node };
}

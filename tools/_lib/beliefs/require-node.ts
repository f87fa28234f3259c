import type { Graph, Ground, Node } from "./open-graph.ts";

/** The node with this id; NODE_NOT_FOUND if there is none. */
export async function requireNode(
  graph: Graph,
  { fail }: Pick<Ground, "fail">,
  id: bigint,
): Promise<{ readonly id: number; readonly node: Node }> {
  const node = id < BigInt(graph.head().nodes) ? await graph.find(Number(id)) : undefined;
  if (node === undefined) throw fail("NODE_NOT_FOUND", `Node not found: ${id}`);
  return { id: Number(id), node };
}

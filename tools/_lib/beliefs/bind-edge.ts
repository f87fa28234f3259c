import { type Graph, type Ground, openGraph } from "./open-graph.ts";
import { readNodeId, readNumber } from "./read-input.ts";
import { requireNode } from "./require-node.ts";

const WEIGHT_MAX = 1e6;

export interface BoundEdge {
  readonly id: number;
  readonly src: number;
  readonly dst: number;
  readonly weight: number;
}

/** A new edge; INVARIANT_VIOLATION if it would close a cycle. */
export async function bindEdge(
  ground: Ground,
  input: { readonly src: string; readonly dst: string; readonly weight: number },
): Promise<BoundEdge> {
  const { fail } = ground;
  const weight = readNumber(fail, "weight", input.weight, -WEIGHT_MAX, WEIGHT_MAX);
  const ends = [readNodeId(fail, "src", input.src), readNodeId(fail, "dst", input.dst)] as const;
  const graph = await openGraph(ground, ends);
  const { id: src, node: source } = await requireNode(graph, ground, ends[0]);
  const { id: dst } = await requireNode(graph, ground, ends[1]);
  const isAcyclic = src !== dst && (await raise(graph, dst, source.level + 1, src));
  if (!isAcyclic) throw fail("INVARIANT_VIOLATION", "The edge would close a cycle, and was not bound.");
  const { edges: id } = graph.head();
  await graph.addEdge([src, dst, weight]);
  await graph.close({ op: "edge.bind", edge: id, src, dst, weight });
  return { id, src, dst, weight };
}

/**
 * Gives a node at least this level, and what it leads to higher ones; false if `origin` is among that. Levels grow along
 * every edge, so what is high enough already need not be looked behind, and most edges touch nothing but their ends.
 * Nodes are taken in the order of their old levels, each once. What is raised here is written only if the edge is.
 */
async function raise(graph: Graph, first: number, level: number, origin: number): Promise<boolean> {
  /** By old level: nodes, and the levels that they need. */
  const waiting = new Map<number, Map<number, number>>();
  let highest = -1;
  const want = async (node: number, least: number) => {
    const old = (await graph.find(node))?.level ?? 0;
    if (old >= least) return;
    const nodes = waiting.get(old) ?? new Map<number, number>();
    nodes.set(node, Math.max(least, nodes.get(node) ?? 0));
    waiting.set(old, nodes);
    highest = Math.max(highest, old);
  };
  await want(first, level);
  for (let old = 0; old <= highest; old += 1) {
    for (const [node, least] of waiting.get(old) ?? []) {
      if (node === origin) return false;
      const present = await graph.find(node);
      if (present === undefined) continue;
      await graph.put(node, { ...present, level: least });
      for (const [, target] of await graph.edgesOf(node)) await want(target, least + 1);
    }
  }
  return true;
}

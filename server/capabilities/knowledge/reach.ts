import type { GraphEdge } from "./graph.ts";

/** A node that depends on what was asked for, and the first step of a shortest way there. */
export interface Reached {
  readonly id: string;
  /** Number of edges in between. */
  readonly distance: number;
  readonly edge: GraphEdge;
}

/**
 * Everything that depends on one of `seeds`, directly or through others, nearest first and then by id: a breadth-first
 * search, so the work is that of the edges it follows. Seeds are not part of it.
 */
export function reach(
  seeds: Iterable<string>,
  dependentsOf: (id: string) => readonly GraphEdge[],
): ReadonlyMap<string, Reached> {
  const start = new Set(seeds);
  const reached = new Map<string, Reached>();
  let level = [...start].sort();
  for (let distance = 1; level.length > 0; distance++) {
    const next = new Map<string, GraphEdge>();
    for (const id of level) {
      for (const edge of dependentsOf(id)) {
        if (!start.has(edge.from) && !reached.has(edge.from) && !next.has(edge.from)) next.set(edge.from, edge);
      }
    }
    level = [...next.keys()].sort();
    for (const id of level) {
      const edge = next.get(id);
      if (edge !== undefined) reached.set(id, { id, distance, edge });
    }
  }
  return reached;
}

/** The edges from a reached node to the seed it was reached from. */
export function toChain(reached: ReadonlyMap<string, Reached>, id: string): readonly GraphEdge[] {
  const chain: GraphEdge[] = [];
  for (let at = reached.get(id); at !== undefined; at = reached.get(at.edge.to)) chain.push(at.edge);
  return chain;
}

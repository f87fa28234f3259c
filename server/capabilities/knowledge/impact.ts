import type { GraphEdge, GraphNode } from "./graph.ts";

/** What a change would reach. */
export interface Impact {
  /** What was asked about, as nodes; files that declare nothing have none. */
  readonly changed: readonly GraphNode[];
  /** Everything that depends on it, nearest first and then by id, up to the limit. */
  readonly affected: readonly Affected[];
  /** How many there are without the limit. */
  readonly total: number;
  /** Whoever names it, or uses its types or its form, without depending on what it does. */
  readonly mentioned: readonly Affected[];
  /** All of it in one sentence, with everything counted, also beyond the limit. */
  readonly sentence: string;
}

export interface Affected {
  readonly node: GraphNode;
  /** Edges between it and the change: 1 is direct. */
  readonly distance: number;
  /** Why: from this node to the change. */
  readonly chain: readonly GraphEdge[];
}

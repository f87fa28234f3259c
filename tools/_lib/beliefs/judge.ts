import { DRIFT_EPSILON, toDrift } from "./ethical-vector.ts";
import type { Head } from "./graph-state.ts";
import { isConserved } from "./open-graph.ts";

/** What the governor sees: how far the graph has drifted from its anchor, and whether all holds together. */
export function judge(head: Head): { readonly drift: number; readonly coherent: boolean } {
  const drift = toDrift(head.deviation, head.nodes);
  return { drift, coherent: drift <= DRIFT_EPSILON && isConserved(head) };
}

import { TOTAL_ENERGY } from "./energy.ts";
import { DRIFT_EPSILON, toDrift } from "./ethical-vector.ts";
import type { Head } from "./graph-state.ts";

/** What the governor sees: how far the graph has drifted from its anchor, and whether all holds together. */
export function judge(head: Head): { readonly drift: number; readonly coherent: boolean } {
  const drift = toDrift(head.deviation, head.nodes);
  return { drift, coherent: drift <= DRIFT_EPSILON && isConserved(head) };
}

/** Whether what nodes hold and what the reservoir holds is what there has to be. */
export function isConserved({ reservoir, allocated }: Head): boolean {
  const [left, held] = [BigInt(reservoir), BigInt(allocated)];
  return left >= 0n && held >= 0n && left + held === TOTAL_ENERGY;
}

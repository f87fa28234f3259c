import { TOTAL_ENERGY } from "./energy.ts";
import { DRIFT_EPSILON, toDrift } from "./ethical-vector.ts";
import type { Head } from "./graph-state.ts";

/** Judges the graph for the governor: its drift from its anchor, and its coherence. */
export function judge(head: Head): { readonly drift: number; readonly coherent: boolean } {
  const drift = toDrift(head.deviation, head.nodes);
  return { drift, coherent: drift <= DRIFT_EPSILON && isConserved(head) };
}

/** Checks that the energy of nodes and reservoir adds up. */
export function isConserved({ reservoir, allocated }: Head): boolean {
  const [left, held] = [BigInt(reservoir), BigInt(allocated)];
  return left >= 0n && held >= 0n && left + held === TOTAL_ENERGY;
}

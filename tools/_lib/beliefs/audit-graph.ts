import type { State } from "../../../server/host-api.ts";
import { toNodeDrift } from "./ethical-vector.ts";
import { type Head, NODES, type Page } from "./graph-state.ts";
import { isConserved } from "./judge.ts";
import { toNode } from "./open-graph.ts";
import { readAll } from "./run-step.ts";

/**
 * Counts a graph anew, node by node: how far the one that is furthest off its anchor is, and whether there are as many nodes,
 * and as much energy, as the head says.
 */
export async function auditGraph(
  state: State,
  head: Head,
): Promise<{ readonly drift: number; readonly isWhole: boolean }> {
  const pages = (await readAll<Page>(state, NODES)).map(({ value }) => value);
  let [nodes, held, drift] = [0, 0n, 0];
  for (const row of pages.flatMap((page) => page.rows)) {
    const node = toNode(row);
    nodes += 1;
    held += node.energy;
    drift = Math.max(drift, toNodeDrift(node));
  }
  return { drift, isWhole: nodes === head.nodes && String(held) === head.allocated && isConserved(head) };
}

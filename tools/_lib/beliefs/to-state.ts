import { toEnergy } from "./energy.ts";
import type { Node } from "./open-graph.ts";

/** `McpNodeState`: what clients are shown of a node, at `now` in milliseconds since 1970. */
export function toNodeState({ id, node }: { readonly id: number; readonly node: Node }, now: number) {
  return { node_id: id, belief: node.belief, energy: toEnergy(node.energy), timestamp: toTimestamp(now) };
}

export function toTimestamp(now: number): string {
  return new Date(now).toISOString();
}

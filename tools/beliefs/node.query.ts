import type { Handler } from "../../server/host-api.ts";
import { openGraph } from "../_lib/beliefs/open-graph.ts";
import { requireNode } from "../_lib/beliefs/require-node.ts";
import { toNodeState } from "../_lib/beliefs/to-state.ts";

const nodeQuery: Handler<{ readonly node_id: string }> = async ({ node_id }, ctx) =>
  toNodeState(await requireNode(await openGraph(ctx), ctx, "node_id", node_id), ctx.now());

export default nodeQuery;

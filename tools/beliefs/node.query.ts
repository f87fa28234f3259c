import type { Handler } from "../../server/host-api.ts";
import { findNode } from "../_lib/beliefs/find-node.ts";
import { toNodeState } from "../_lib/beliefs/to-state.ts";

const nodeQuery: Handler<{ readonly node_id: string }> = async ({ node_id }, ctx) =>
  toNodeState(await findNode(ctx, node_id), ctx.now());

export default nodeQuery;

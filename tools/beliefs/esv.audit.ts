import type { Handler } from "../../server/host-api.ts";
import { DRIFT_EPSILON, toNodeDrift } from "../_lib/beliefs/ethical-vector.ts";
import { findNode } from "../_lib/beliefs/find-node.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const esvAudit: Handler<{ readonly node_id: string }> = async ({ node_id }, ctx) => {
  const { id, node } = await findNode(ctx, node_id);
  return { node_id: id, valid: toNodeDrift(node) <= DRIFT_EPSILON, timestamp: toTimestamp(ctx.now()) };
};

export default esvAudit;

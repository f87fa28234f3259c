import type { Handler } from "../../server/host-api.ts";
import { bindEdge } from "../_lib/beliefs/bind-edge.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const edgeBind: Handler<{ readonly src: string; readonly dst: string; readonly weight: number }> = async (
  input,
  ctx,
) => {
  const { id, src, dst, weight } = await bindEdge(ctx, input);
  return { edge_id: id, src, dst, weight, timestamp: toTimestamp(ctx.now()) };
};

export default edgeBind;

import type { Handler } from "../../server/host-api.ts";
import { mutateNode } from "../_lib/beliefs/mutate-node.ts";
import { toNodeState } from "../_lib/beliefs/to-state.ts";

const nodeMutate: Handler<{ readonly node_id: string; readonly delta: number }> = async (input, ctx) =>
  toNodeState(await mutateNode(ctx, input), ctx.now());

export default nodeMutate;

import type { Handler } from "../../server/host-api.ts";
import { createNode } from "../_lib/beliefs/create-node.ts";
import { toNodeState } from "../_lib/beliefs/to-state.ts";

const nodeCreate: Handler<{ readonly belief: number; readonly energy: number }> = async (input, ctx) =>
  toNodeState(await createNode(ctx, input), ctx.now());

export default nodeCreate;

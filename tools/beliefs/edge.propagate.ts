import type { Handler } from "../../server/host-api.ts";
import { judge } from "../_lib/beliefs/judge.ts";
import { runStep } from "../_lib/beliefs/run-step.ts";
import { toTimestamp } from "../_lib/beliefs/to-state.ts";

const edgePropagate: Handler = async (_input, ctx) => ({
  ...judge(await runStep(ctx)),
  timestamp: toTimestamp(ctx.now()),
});

export default edgePropagate;

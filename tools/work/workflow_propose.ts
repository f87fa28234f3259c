import type { Handler } from "../../server/host-api.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowPropose: Handler<StepInput> = async ({ run_id }, ctx) => {
  const { status, message } = await ctx.work.runs.propose(run_id);
  return { status: status === "proposed" ? "proposed" : "completed", message };
};

export default workflowPropose;

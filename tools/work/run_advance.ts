import type { Handler } from "../../server/host-api.ts";

interface StepResult {
  readonly status: "completed" | "blocked" | "failed";
  readonly message?: string;
}

const runAdvance: Handler<{ readonly run_id: string }> = async ({ run_id }, ctx) => {
  const step = await ctx.work.runs.beginStep(run_id);
  if (step === null) return { run_id, state: "done" };
  const { task_id } = step;
  const { status, message } = await doStep(step.tool);
  const said = message === undefined ? {} : { message };
  await ctx.work.runs.endStep({ runId: run_id, step: step.name, status, beganAt: step.began_at, ...said });
  return { run_id, state: status === "completed" ? "step" : status, step: step.name, ...said };

  async function doStep(tool: string): Promise<StepResult> {
    try {
      return await ctx.tools.call<StepResult>(tool, { task_id, run_id });
    } catch (error) {
      // Which errors another attempt may mend, the worker need not know: the task is tried again.
      if (!(error instanceof Error) || error.name === "UNAVAILABLE") throw error;
      return { status: "failed", message: `${error.name}: ${error.message}` };
    }
  }
};

export default runAdvance;

import type { Handler } from "../../server/host-api.ts";

interface StepResult {
  /** `proposed`: the run waits for its proposal, which the step has noted itself. */
  readonly status: "completed" | "blocked" | "failed" | "released" | "proposed";
  readonly message?: string;
}

/** Errors for which the same request is sent again a little later. */
const PASSING: ReadonlySet<string> = new Set(["UNAVAILABLE", "RATE_LIMITED"]);

const runAdvance: Handler<{ readonly run_id: string }> = async ({ run_id }, ctx) => {
  const step = await ctx.work.runs.beginStep(run_id);
  if (step === null) return { run_id, state: "done" };
  const { task_id, name, tool, began_at: beganAt } = step;
  const { status, message } = await doStep();
  const said = message === undefined ? {} : { message };
  if (status === "proposed") return { run_id, state: "blocked", step: name, ...said };
  const run = await ctx.work.runs.endStep({ runId: run_id, step: name, status, beganAt, ...said });
  // What was a worker's own already has failed.
  const ended = status === "released" && run.status !== "released" ? "failed" : status;
  return { run_id, state: ended === "completed" ? "step" : ended, step: name, ...said };

  async function doStep(): Promise<StepResult> {
    try {
      return await ctx.tools.call<StepResult>(tool, { task_id, run_id });
    } catch (error) {
      // Which errors another attempt may mend, the worker need not know: the task is tried again.
      if (!(error instanceof Error) || PASSING.has(error.name)) throw error;
      return { status: "failed", message: `${error.name}: ${error.message}` };
    }
  }
};

export default runAdvance;

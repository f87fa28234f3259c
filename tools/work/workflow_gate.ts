import type { Handler } from "../../server/host-api.ts";
import type { StepInput } from "../_lib/work/step-input.ts";

const workflowGate: Handler<StepInput> = async ({ task_id, run_id }, ctx) => {
  const { task } = await ctx.work.tasks.get(task_id);
  const { status, checks, files, risk_level } = await ctx.work.runs.judge(run_id);
  if (status === "failed") {
    const wrong = checks.flatMap(({ passed, message }) => (passed || message === undefined ? [] : [message]));
    return { status: "failed", message: wrong.join(" ") };
  }
  if (status === "blocked") {
    const untried = checks.flatMap(({ name, passed, message }) => (name === "tried" && !passed ? (message ?? []) : []));
    const message = [`A change of ${risk_level} risk waits for approval_write.`, ...untried].join(" ");
    return { status: "blocked", message };
  }
  if (files.length === 0) return { status: "completed", message: "Nothing has changed." };
  const message = `${task.title}\n\nTask: ${task_id}\nRun: ${run_id}`;
  const { commit } = await ctx.git.commit(run_id, { message, allowedFiles: files });
  return { status: "completed", message: `Committed as ${commit}.` };
};

export default workflowGate;

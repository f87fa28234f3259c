import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly task_id: string;
  readonly run_id: string;
  readonly status: "completed" | "failed";
  readonly result_summary: string;
  readonly worker_id: string;
}

const taskComplete: Handler<Input> = async ({ task_id, run_id, status, result_summary, worker_id }, ctx) => {
  await ctx.work.runs.complete({
    taskId: task_id,
    runId: run_id,
    status,
    summary: result_summary,
    workerId: worker_id,
  });
  return { task_id, run_id, status, result_summary, lease_released: true };
};

export default taskComplete;

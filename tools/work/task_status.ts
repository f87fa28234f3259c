import type { Handler } from "../../server/host-api.ts";
import { toSummary } from "../_lib/work/to-summary.ts";

const taskStatus: Handler<{ readonly task_id: string }> = async ({ task_id }, ctx) => {
  const { task, run } = await ctx.work.tasks.get(task_id);
  const { workflow, attempts, result_summary, needs_worker, question, answers } = task;
  const planned = { ...(needs_worker && { needs_worker }), ...(question && { question }), ...(answers && { answers }) };
  return { ...toSummary(task), workflow, attempts, result_summary, ...planned, run };
};

export default taskStatus;

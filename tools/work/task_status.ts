import type { Handler } from "../../server/host-api.ts";
import { toSummary } from "../_lib/work/to-summary.ts";

const taskStatus: Handler<{ readonly task_id: string }> = async ({ task_id }, ctx) => {
  const { task, run } = await ctx.work.tasks.get(task_id);
  const { workflow, attempts, result_summary } = task;
  return { ...toSummary(task), workflow, attempts, result_summary, run };
};

export default taskStatus;

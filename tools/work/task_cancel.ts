import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly task_id: string;
  readonly reason: string;
}

const taskCancel: Handler<Input> = async ({ task_id, reason }, ctx) => {
  const { status } = await ctx.work.tasks.cancel(task_id, reason);
  return { task_id, status };
};

export default taskCancel;

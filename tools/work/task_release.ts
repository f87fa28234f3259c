import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly worker_id: string;
  readonly reason: string;
}

const taskRelease: Handler<Input> = async ({ run_id, worker_id, reason }, ctx) => {
  const { task_id, status } = await ctx.work.leases.release(run_id, worker_id, reason);
  return { task_id, status };
};

export default taskRelease;

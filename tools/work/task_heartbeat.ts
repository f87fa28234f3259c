import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly run_id: string;
  readonly worker_id: string;
}

const taskHeartbeat: Handler<Input> = async ({ run_id, worker_id }, ctx) => {
  const { lease } = await ctx.work.leases.renew(run_id, worker_id);
  return { run_id, lease_expires_at: lease.expires_at, lease_seconds: lease.seconds };
};

export default taskHeartbeat;

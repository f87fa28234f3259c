import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly worker_id: string;
  readonly capabilities?: readonly string[];
  readonly workflows?: readonly string[];
  readonly with_steps: boolean;
  readonly task_id?: string;
  readonly duration_sec?: number;
}

const taskClaim: Handler<Input> = async (input, ctx) => {
  const { worker_id, with_steps, task_id: taskId, duration_sec: leaseSeconds, ...wanted } = input;
  const claimed = await ctx.work.leases.claim({
    workerId: worker_id,
    withSteps: with_steps,
    ...wanted,
    ...(taskId !== undefined && { taskId }),
    ...(leaseSeconds !== undefined && { leaseSeconds }),
  });
  if (claimed === null) return { task: null };
  const { task, run } = claimed;
  const { task_id, title, objective, workflow } = task;
  const { run_id, run_path, fence, lease, warnings } = run;
  const held = { run_id, run_path, fence, lease_seconds: lease.seconds, lease_expires_at: lease.expires_at };
  return { task, task_id, title, objective, workflow, ...held, status: "claimed", ...(warnings && { warnings }) };
};

export default taskClaim;

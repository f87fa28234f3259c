import type { Handler } from "../../server/host-api.ts";

interface Input {
  readonly task_id: string;
  readonly run_id: string;
  readonly approver: string;
  readonly reason: string;
  readonly decision: "approved" | "rejected";
}

const approvalWrite: Handler<Input> = async ({ task_id, run_id, approver, reason, decision }, ctx) => {
  await ctx.work.approvals.write({ taskId: task_id, runId: run_id, approver, reason, decision });
  return { task_id, run_id, approver, status: decision };
};

export default approvalWrite;

import { toTime } from "../../text/to-time.ts";
import { CairnError } from "../../errors.ts";
import { assertOf, entryKey, findRun, findTask, note, saveRun, saveTask, type WorkDesk } from "./desk.ts";
import { putArtifact } from "./evidence.ts";
import { changeRun, type Run } from "./run.ts";
import { findDecidable, queueApproved } from "./approvals/decide.ts";
import { saveWaiting } from "./approvals/waiting-call.ts";
import { APPROVAL } from "./workflows.ts";
import { changeTask, WORK_SCHEMA_VERSION } from "./task.ts";

export interface Decision {
  readonly taskId: string;
  readonly runId: string;
  readonly approver: string;
  readonly reason: string;
  readonly decision: "approved" | "rejected";
  /** The tool that asks for it. */
  readonly tool: string;
}

/**
 * Decides about a blocked run, with the decision kept as `approval.json`: an approved run can continue where it stopped;
 * a rejected one has ended, and its task with it.
 * @throws NOT_FOUND; CONFLICT for a run that waits for no approval; FORBIDDEN for the principal whose worker did it,
 * unless the policy allows that. Who decides about a call that waits, `findDecidable` says.
 */
export async function approveRun(desk: WorkDesk, decided: Decision): Promise<Run> {
  const { taskId, runId, approver, reason, decision, tool } = decided;
  const { tenant, record: run } = await findRun(desk, runId);
  assertOf(run, taskId);
  if (run.status !== "blocked") {
    throw new CairnError("CONFLICT", `Run \`${runId}\` waits for no approval: it is ${run.status}.`);
  }
  const call = run.workflow === APPROVAL ? await findDecidable(desk, tenant, run) : undefined;
  const isOwn = run.actor.tenant === desk.tenant && run.actor.name === desk.actor;
  if (isOwn && decision === "approved" && !desk.allowsSelfApproval) {
    throw new CairnError(
      "FORBIDDEN",
      `Run \`${runId}\` was done with these credentials; somebody else must approve it.`,
    );
  }
  const { now, actor } = desk;
  const approval = {
    schema_version: WORK_SCHEMA_VERSION,
    task_id: taskId,
    run_id: runId,
    timestamps: { created_at: toTime(now) },
    status: decision,
    metrics: {},
    warnings: [],
    errors: [],
    approver,
    reason,
    approved_by: actor,
  };
  const withApproval = putArtifact(desk, tenant, run, "approval.json", JSON.stringify(approval));
  const { record: task } = await findTask(desk, taskId);
  note(desk, tenant, run, `run.${decision}`, { approver, reason });
  if (decision === "rejected") {
    const change = { status: "rejected", result_summary: reason } as const;
    const ended = changeRun(withApproval, now, change);
    saveRun(desk, tenant, ended);
    saveTask(desk, tenant, changeTask(task, now, change));
    if (call !== undefined) saveWaiting(desk, { ...call, isEnded: true });
    return ended;
  }
  const resumable = changeRun(withApproval, now, { status: "approved" });
  saveRun(desk, tenant, resumable);
  saveTask(desk, tenant, changeTask(task, now, { status: "pending" }));
  if (call !== undefined) queueApproved(desk, call, tool);
  else desk.set(entryKey(tenant, desk.scope, task), taskId);
  return resumable;
}

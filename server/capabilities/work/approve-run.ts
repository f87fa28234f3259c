import { toTime } from "../../text/to-time.ts";
import { CairnError } from "../../errors.ts";
import { assertOf, entryKey, findRun, findTask, note, type RecordDesk, saveRun, saveTask } from "./desk.ts";
import { putArtifact } from "./evidence.ts";
import { changeRun, type Run } from "./run.ts";
import { type Decider, findDecidable, queueApproved } from "./approvals/decide.ts";
import { saveWaiting } from "./approvals/waiting-call.ts";
import { APPROVAL } from "./workflows.ts";
import { changeTask, type Task, WORK_SCHEMA_VERSION } from "./task.ts";

export interface Decision {
  readonly taskId: string;
  readonly runId: string;
  readonly approver: string;
  readonly reason: string;
  readonly decision: "approved" | "rejected";
  readonly decider: Decider;
}

/**
 * Decides about a blocked run, with the decision kept as `approval.json`: an approved run can continue where it stopped;
 * a rejected one has ended, and its task with it.
 * @throws NOT_FOUND; CONFLICT for a run that waits for no approval; FORBIDDEN for the principal who asked for it or whose
 * worker did it, unless the policy allows that. Who decides about a call that waits, `findDecidable` says.
 */
export async function approveRun(desk: RecordDesk, decided: Decision): Promise<Run> {
  const { taskId, runId, approver, reason, decision, decider } = decided;
  const { tenant, record: run } = await findRun(desk, runId);
  assertOf(run, taskId);
  if (run.status !== "blocked") {
    throw new CairnError("CONFLICT", `Run \`${runId}\` waits for no approval: it is ${run.status}.`);
  }
  if (run.proposal !== undefined) {
    const { feedback, run_id, state } = run.proposal;
    const where = run_id === null ? "" : `; the run \`${run_id}\` of the task \`${feedback}\` is what to approve`;
    throw new CairnError("CONFLICT", `Run \`${runId}\` waits for its proposal (${state})${where}.`);
  }
  const { record: task } = await findTask(desk, taskId);
  const call = run.workflow === APPROVAL ? await findDecidable(desk, tenant, run, decider) : undefined;
  if (decision === "approved") assertOther(desk, tenant, task, run, decider);
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
  const right = decider.right === "operator" ? { by_operator: true } : {};
  note(desk, tenant, run, `run.${decision}`, { approver, reason, ...right });
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
  if (call !== undefined) queueApproved(desk, call, decider);
  else desk.set(entryKey(tenant, desk.scope, task), taskId);
  return resumable;
}

/** Checks that who approves has neither asked for the run nor done it: an approval of one's own work is none. */
function assertOther(desk: RecordDesk, tenant: string, task: Task, run: Run, decider: Decider): void {
  if (decider.right === "caller" && decider.allowsSelf) return;
  const isDoer = run.actor.tenant === desk.tenant && run.actor.name === desk.actor;
  const isRequester = tenant === desk.tenant && task.created_by === desk.actor;
  if (!isDoer && !isRequester) return;
  const what = isDoer ? `Run \`${run.run_id}\` was done` : `Task \`${task.task_id}\` was created`;
  throw new CairnError("FORBIDDEN", `${what} by \`${desk.actor}\`; somebody else must approve it.`);
}

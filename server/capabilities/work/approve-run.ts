import { toTime } from "../../text/to-time.ts";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import { readJson } from "../../json/read-json.ts";
import { isSamePerson } from "../../principal.ts";
import { assertOf, entryKey, findRun, findTask, note, type RecordDesk, saveRun, saveTask } from "./desk.ts";
import { putArtifact, readArtifact } from "./evidence.ts";
import { changeRun, type Run } from "./run.ts";
import { type Decider, findDecidable, queueApproved, withApproval } from "./approvals/decide.ts";
import { findMissing, saveWaiting } from "./approvals/waiting-call.ts";
import { APPROVAL, ARCHITECT, CANDIDATE } from "./workflows.ts";
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
  const call = run.workflow === APPROVAL ? await findDecidable(desk, tenant, run, { decider, decision }) : undefined;
  if (decision === "approved") {
    assertOther(desk, { tenant, task, run, ...decided });
    if (run.workflow === ARCHITECT.name) await assertNoAuthor(desk, { tenant, task, run, ...decided });
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
  const right = decider.right === "operator" ? { by_operator: true } : {};
  const approved = call === undefined || decision === "rejected" ? call : withApproval(desk, call, decider);
  const isPartial = decision === "approved" && approved !== undefined && approved.approver === undefined;
  const name = isPartial ? `approval-${approved.earlier?.length ?? 1}.json` : "approval.json";
  const withReport = putArtifact(desk, tenant, run, name, JSON.stringify(approval));
  if (isPartial) {
    saveRun(desk, tenant, withReport);
    saveWaiting(desk, approved);
    note(desk, tenant, run, "call.approved", {
      approver,
      reason,
      ...right,
      waits_for: findMissing(approved).join(", "),
    });
    return withReport;
  }
  note(desk, tenant, run, `run.${decision}`, { approver, reason, ...right });
  if (decision === "rejected") {
    const change = { status: "rejected", result_summary: reason } as const;
    const ended = changeRun(withReport, now, change);
    saveRun(desk, tenant, ended);
    saveTask(desk, tenant, changeTask(task, now, change));
    if (call !== undefined) saveWaiting(desk, { ...call, isEnded: true });
    return ended;
  }
  const resumable = changeRun(withReport, now, { status: "approved" });
  saveRun(desk, tenant, resumable);
  saveTask(desk, tenant, changeTask(task, now, { status: "pending" }));
  if (approved !== undefined) {
    // Who approved it is kept with it, because that right is checked again when it runs.
    saveWaiting(desk, approved);
    queueApproved(desk, approved);
  } else desk.set(entryKey(tenant, desk.scope, task), taskId);
  return resumable;
}

type Contested = Pick<Decision, "approver" | "decider"> & {
  readonly tenant: string;
  readonly task: Task;
  readonly run: Run;
};

/**
 * Checks that who approves has neither asked for the run nor done it: an approval of one's own work is none. Where callers
 * have no tokens, the id of the worker is all that says who has done it.
 */
function assertOther(desk: RecordDesk, { tenant, task, run, approver, decider }: Contested): void {
  if (decider.right === "caller" && decider.allowsSelf) return;
  const isMe = (name: string) => isSamePerson(name, desk.actor);
  const isDoer = run.actor.tenant === desk.tenant && (isMe(run.actor.name) || isMe(run.worker_id));
  const isWorker = isDoer || isSamePerson(run.worker_id, approver);
  const isRequester = tenant === desk.tenant && isMe(task.created_by);
  if (!isWorker && !isRequester) return;
  const what = isWorker ? `Run \`${run.run_id}\` was done` : `Task \`${task.task_id}\` was created`;
  const who = isWorker && !isDoer ? approver : desk.actor;
  throw new CairnError("FORBIDDEN", `${what} by \`${who}\`; somebody else must approve it.`);
}

/** Checks that who approves a change of the Architect is none of those who have made it, such as the worker of a run that it goes on from. */
async function assertNoAuthor(desk: RecordDesk, { tenant, run, approver }: Contested): Promise<void> {
  const candidate = readJson((await readArtifact(desk, tenant, run, CANDIDATE)) ?? "null");
  const authors = isObject(candidate) && Array.isArray(candidate["authors"]) ? candidate["authors"].map(String) : [];
  const author = authors.find((name) => isSamePerson(name, desk.actor) || isSamePerson(name, approver));
  if (author === undefined) return;
  throw new CairnError("FORBIDDEN", `\`${author}\` asked for this change or made it; somebody else must approve it.`);
}

import { CairnError } from "../../errors.ts";
import type { Workflow } from "../../versions/workflow.ts";
import {
  assertOf,
  entryKey,
  findHeldRun,
  findLease,
  findRun,
  findTask,
  note,
  saveRun,
  saveTask,
  type WorkDesk,
} from "./desk.ts";
import { explainStale, readReport, REPORT_FORM } from "./evidence.ts";
import { changeRun, isOpen, type Run } from "./run.ts";
import { changeTask, isEnded, type Task } from "./task.ts";
import { endWaiting } from "./approvals/decide.ts";
import { APPROVAL, BASELINE, findWorkflow, PATCH } from "./workflows.ts";

/** Milliseconds until a task that failed may be tried again; twice as long after each further attempt, up to the limit. */
const BACKOFF_MS = 1000;
const BACKOFF_LIMIT_MS = 5 * 60_000;

export interface Completion {
  readonly taskId: string;
  readonly runId: string;
  readonly status: "completed" | "failed";
  readonly summary: string;
  readonly workerId: string;
}

/**
 * Ends a run and lets go of its lease. A failed task is tried again later, unless it has been often enough.
 *
 * @throws what `findHeldRun` does; CONFLICT for a run without the evidence that its workflow asks for.
 */
export async function completeTask(desk: WorkDesk, completion: Completion): Promise<{ task: Task; run: Run }> {
  const { taskId, runId, status, summary, workerId } = completion;
  const { tenant, record: run } = await findHeldRun(desk, runId, workerId);
  assertOf(run, taskId);
  const { record: task } = await findTask(desk, taskId);
  if (status === "completed") await assertEvidence(desk, tenant, run);
  const { now, scope } = desk;
  const ended = changeRun(run, now, { status, result_summary: summary });
  saveRun(desk, tenant, ended);
  note(desk, tenant, run, `run.${status}`, { worker_id: workerId, summary });
  const entry = entryKey(tenant, scope, task);
  const { expires_at } = await findLease(desk, tenant, run);
  const isRetried = status === "failed" && task.attempts < task.max_attempts;
  const after = isRetried ? "pending" : status === "failed" ? "dead" : "completed";
  const changed = changeTask(task, now, { status: after, result_summary: summary });
  saveTask(desk, tenant, changed);
  if (!isRetried) desk.delete(entry);
  // Until the lease runs out nobody gets it; the run has ended, so its former holder cannot write either.
  else if (Date.parse(expires_at) > now) desk.renew(entry, run.fence, toBackoff(task.attempts));
  else desk.set(entry, task.task_id);
  return { task: changed, run: ended };
}

export function toBackoff(attempts: number): number {
  return Math.min(BACKOFF_LIMIT_MS, BACKOFF_MS * 2 ** Math.max(0, attempts - 1));
}

/** A run may end well only with what its workflow asks for, and if it may change files, with its gate's consent. */
async function assertEvidence(desk: WorkDesk, tenant: string, run: Run): Promise<void> {
  const workflow = findWorkflow(desk.version, run.workflow);
  const hasChanged = workflow.writes && (await listJudged(desk, tenant, run)).length > 0;
  const required = [...requiredBy(workflow), ...(hasChanged ? [PATCH] : [])];
  const missing = required.filter((name) => run.artifacts[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => `\`${name}\``).join(", ");
    const how = missing.includes("executor_report.json")
      ? ` The worker hands it in with \`artifact_write\`. ${REPORT_FORM}`
      : "";
    throw new CairnError("CONFLICT", `Run \`${run.run_id}\` cannot complete without ${names}.${how}`, {
      details: { missing },
    });
  }
  if (!workflow.writes) return;
  for (const name of ["verifier_report.json", "gate_report.json"]) {
    const report = await readReport(desk, tenant, run, name);
    if (report?.["status"] !== "passed") {
      throw new CairnError(
        "CONFLICT",
        `Run \`${run.run_id}\` cannot complete: its \`${name}\` does not say \`passed\`.`,
      );
    }
  }
  // The Architect itself compares what was approved with what it proposes.
  const stale = hasChanged && !desk.isArchitect ? explainStale(run, ["plan.json", PATCH]) : undefined;
  if (stale !== undefined) throw new CairnError("CONFLICT", `Run \`${run.run_id}\` cannot complete: ${stale}`);
}

/** Files that a run has changed, as its gate saw them. */
async function listJudged(desk: WorkDesk, tenant: string, run: Run): Promise<readonly unknown[]> {
  const files = (await readReport(desk, tenant, run, "gate_report.json"))?.["files"];
  return Array.isArray(files) ? files : [];
}

function requiredBy({ requires, writes }: Workflow): readonly string[] {
  return [...new Set([...(writes ? BASELINE : []), ...requires])];
}

/**
 * Ends a run, and its task with it, because nothing is to come of it: that is an outcome like another.
 *
 * @throws what `findHeldRun` does.
 */
export async function rejectTask(desk: WorkDesk, runId: string, reason: string): Promise<Run> {
  const { tenant, record: run } = await findHeldRun(desk, runId);
  const { record: task } = await findTask(desk, run.task_id);
  const change = { status: "rejected", result_summary: reason } as const;
  const ended = changeRun(run, desk.now, change);
  saveRun(desk, tenant, ended);
  note(desk, tenant, run, "run.rejected", { reason });
  saveTask(desk, tenant, changeTask(task, desk.now, change));
  desk.delete(entryKey(tenant, desk.scope, task));
  return ended;
}

/** Ends a task before it is done; whoever is at it can write nothing more. @throws CONFLICT for one that has ended. */
export async function cancelTask(desk: WorkDesk, taskId: string, reason: string): Promise<Task> {
  const { tenant, record: task } = await findTask(desk, taskId);
  if (isEnded(task)) throw new CairnError("CONFLICT", `Task \`${taskId}\` has ended: it is ${task.status}.`);
  const { now, scope } = desk;
  if (task.run_id !== null) {
    const { record: run } = await findRun(desk, task.run_id);
    if (run.workflow === APPROVAL) await endWaiting(desk, tenant, run);
    await withdraw(desk, run, reason);
    if (isOpen(run)) {
      saveRun(desk, tenant, changeRun(run, now, { status: "cancelled", result_summary: reason }));
      note(desk, tenant, run, "run.cancelled", { reason });
    }
  }
  const cancelled = changeTask(task, now, { status: "cancelled", result_summary: reason });
  saveTask(desk, tenant, cancelled);
  desk.delete(entryKey(tenant, scope, task));
  return cancelled;
}

/** Ends the task that the change of a run goes on as, so that it lands no more. @throws CONFLICT for one that has landed. */
async function withdraw(desk: WorkDesk, run: Run, reason: string): Promise<void> {
  const { feedback = null, state } = run.proposal ?? {};
  if (feedback === null || run.status !== "blocked") return;
  if (state === "landed") throw new CairnError("CONFLICT", `The change of run \`${run.run_id}\` has landed already.`);
  const { record: task } = await findTask(desk, feedback);
  if (!isEnded(task)) await cancelTask(desk, feedback, reason);
}

import { runLeaseKey, workersOf } from "../../store/keys.ts";
import type { WorkerRecord } from "./api.ts";
import type { PlanQuestion } from "../knowledge/api.ts";
import { defined } from "../../json/defined.ts";
import { readReport } from "./evidence.ts";
import { openQueue } from "./create-task.ts";
import { entryKey, findHeldRun, findTask, note, saveRun, saveTask, type WorkDesk } from "./desk.ts";
import { changeRun, type Run } from "./run.ts";
import { changeTask, type Task } from "./task.ts";
import { toTime } from "../../text/to-time.ts";

/** Extends the lease from now on. @throws what `findHeldRun` does. */
export async function renewLease(desk: WorkDesk, runId: string, workerId: string): Promise<Run> {
  const { tenant, record: run } = await findHeldRun(desk, runId, workerId);
  const { now, scope } = desk;
  const { seconds } = run.lease;
  const { record: task } = await findTask(desk, run.task_id);
  desk.renew(entryKey(tenant, scope, task), run.fence, seconds * 1000);
  const lease = { seconds, expires_at: toTime(now + seconds * 1000) };
  desk.set(runLeaseKey(tenant, scope, runId), lease.expires_at);
  const worker = [...workersOf(desk.tenant, scope), workerId];
  const known = (await desk.get(worker)) as WorkerRecord | undefined;
  const seen = { worker_id: workerId, actor: desk.actor, seen_at: toTime(now) };
  desk.set(worker, { capabilities: [], ...known, ...seen } satisfies WorkerRecord);
  return { ...run, lease };
}

/** Gives a task back, so that others can have it at once; the attempt does not count. */
export async function releaseTask(desk: WorkDesk, runId: string, workerId: string, reason: string): Promise<Task> {
  const { tenant, record: run } = await findHeldRun(desk, runId, workerId);
  const { record: task } = await findTask(desk, run.task_id);
  saveRun(desk, tenant, changeRun(run, desk.now, { status: "released", result_summary: reason }));
  note(desk, tenant, run, "run.released", { worker_id: workerId, reason });
  const released = changeTask(task, desk.now, { status: "pending", attempts: Math.max(0, task.attempts - 1) });
  saveTask(desk, tenant, released);
  // Written anew it is free, and the fence of this lease is no longer good.
  desk.set(entryKey(tenant, desk.scope, task), task.task_id);
  return released;
}

/**
 * Gives a task back for a worker that does it itself, because the service cannot; the attempt does not count. `run` is the run as
 * it is to be kept.
 */
export async function leaveToWorker(desk: WorkDesk, tenant: string, run: Run, reason: string): Promise<Run> {
  const { record: task } = await findTask(desk, run.task_id);
  const { now, scope } = desk;
  const released = changeRun(run, now, { status: "released", result_summary: reason });
  saveRun(desk, tenant, released);
  note(desk, tenant, run, "run.released", { worker_id: run.worker_id, reason });
  const attempts = Math.max(0, task.attempts - 1);
  const question = await findQuestion(desk, tenant, run);
  const left = changeTask(task, now, { status: "pending", attempts, needs_worker: reason, ...defined({ question }) });
  saveTask(desk, tenant, left);
  desk.delete(entryKey(tenant, scope, task));
  await openQueue(desk, tenant, left);
  desk.set(entryKey(tenant, scope, left), task.task_id);
  return released;
}

/** Finds what the plan of a run asks the requester; the form of plans is checked when they are written. */
async function findQuestion(desk: WorkDesk, tenant: string, run: Run): Promise<PlanQuestion | undefined> {
  return (await readReport(desk, tenant, run, "plan.json"))?.["question"] as PlanQuestion | undefined;
}

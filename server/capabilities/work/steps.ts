import { CairnError } from "../../errors.ts";
import type { WorkflowStep } from "../../versions/workflow.ts";
import { entryKey, findHeldRun, findTask, note, saveRun, saveTask, type WorkDesk } from "./desk.ts";
import { leaveToWorker } from "./lease.ts";
import { changeRun, type Run, type RunStep } from "./run.ts";
import { changeTask } from "./task.ts";
import { toTime } from "../../text/to-time.ts";
import { findWorkflow } from "./workflows.ts";

/** The step that a run is to do next; undefined when all are done. */
export async function beginStep(
  desk: WorkDesk,
  runId: string,
): Promise<{ readonly taskId: string; readonly step: WorkflowStep } | undefined> {
  const { tenant, record: run } = await findHeldRun(desk, runId);
  const step = findNextStep(desk, run);
  if (step === undefined) return undefined;
  note(desk, tenant, run, "step.began", { step: step.name, tool: step.tool });
  return { taskId: run.task_id, step };
}

export interface StepOutcome {
  readonly runId: string;
  readonly step: string;
  /** `released`: only a worker that does the task itself can do this step. */
  readonly status: "completed" | "blocked" | "failed" | "released";
  readonly beganAt: number;
  readonly message?: string;
}

/**
 * Keeps how a step came out. A blocked one lets go of the lease: nobody waits with a worker for somebody's approval. It is
 * done again once there is one. A released one gives the task back for a worker that does it itself; for a task that was
 * given back before, it has failed.
 *
 * @throws what `findHeldRun` does; CONFLICT for a step that is not the next one.
 */
export async function endStep(desk: WorkDesk, outcome: StepOutcome): Promise<Run> {
  const { runId, step, status, beganAt, message } = outcome;
  const { tenant, record: run } = await findHeldRun(desk, runId);
  if (findNextStep(desk, run)?.name !== step) {
    throw new CairnError("CONFLICT", `\`${step}\` is not the next step of run \`${runId}\`.`);
  }
  const { now } = desk;
  const times = { began_at: toTime(beganAt), ended_at: toTime(now) };
  const isReleased = status === "released";
  const done: RunStep = {
    name: step,
    status: isReleased ? "failed" : status,
    ...times,
    ...(message === undefined ? {} : { message }),
  };
  const steps = [...run.steps.filter(({ name }) => name !== step), done];
  note(desk, tenant, run, `step.${done.status}`, { step, ...(message === undefined ? {} : { message }) });
  const isBlocked = status === "blocked";
  const changed = changeRun(run, now, isBlocked ? { steps, status: "blocked" } : { steps });
  saveRun(desk, tenant, changed);
  if (!isBlocked && !isReleased) return changed;
  const { record: task } = await findTask(desk, run.task_id);
  if (isReleased && task.needs_worker === undefined) return leaveToWorker(desk, tenant, changed, message ?? step);
  if (isBlocked) {
    saveTask(desk, tenant, changeTask(task, now, { status: "blocked" }));
    desk.delete(entryKey(tenant, desk.scope, task));
  }
  return changed;
}

/** The step after those that are completed; undefined when all are done. */
export function findNextStep(desk: WorkDesk, { workflow, steps }: Run): WorkflowStep | undefined {
  const done = new Set(steps.filter(({ status }) => status === "completed").map(({ name }) => name));
  return findWorkflow(desk.version, workflow).steps.find(({ name }) => !done.has(name));
}

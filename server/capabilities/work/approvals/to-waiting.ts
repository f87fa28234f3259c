import type { RunRecord, TaskRecord } from "../api.ts";
import { APPROVAL } from "../workflows.ts";

/** Run that waits for the decision of a person, or call that waits so and is a task of its own. */
export interface Waiting {
  readonly task_id: string;
  readonly run_id: string;
  readonly title: string;
  readonly workflow: string;
  readonly created_by: string;
  /** RFC 3339, in UTC. */
  readonly since: string;
  /** Decision that it waits for. */
  readonly reason: string;
  readonly warnings: readonly string[];
}

type WaitingTask = Pick<TaskRecord, "task_id" | "title" | "objective" | "workflow" | "created_by">;
type WaitingRun = Pick<RunRecord, "run_id" | "steps" | "timestamps" | "warnings">;

/** Describes a run that waits, by its task and itself. */
export function toWaiting(task: WaitingTask, { run_id, steps, timestamps, warnings = [] }: WaitingRun): Waiting {
  const { task_id, title, objective, workflow, created_by } = task;
  const step = steps.find(({ status }) => status === "blocked");
  const reason = workflow === APPROVAL ? objective : (step?.message ?? "It waits for an approval.");
  return { task_id, run_id, title, workflow, created_by, since: timestamps.updated_at, reason, warnings };
}

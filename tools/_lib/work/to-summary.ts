import type { TaskRecord } from "../../../server/host-api.ts";

/** Summarises a task for every answer about it. */
export function toSummary({ task_id, title, objective, status, priority }: TaskRecord) {
  return { task_id, title, objective, status, priority };
}

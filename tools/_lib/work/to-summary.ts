import type { TaskRecord } from "../../../server/host-api.ts";

/** What every answer about a task says of it. */
export function toSummary({ task_id, title, objective, status, priority }: TaskRecord) {
  return { task_id, title, objective, status, priority };
}

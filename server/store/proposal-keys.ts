import type { Key } from "./store.ts";

/** Key of what the caller who created a task might ask for then. */
export function requesterKey(tenant: string, scope: string, taskId: string): Key {
  return ["task-requester", tenant, scope, taskId];
}

/** Key of the last feedback that a run was handed over as: it wakes the one who works on feedback. */
export const HANDED_OVER: Key = ["feedback-handed-over"];

import type { Key } from "./store.ts";

/** Calls that wait for approval, of all tenants. */
export const WAITING_CALLS: Key = ["waiting-call"];

export function waitingCallsOf(tenant: string, actor: string): Key {
  return [...WAITING_CALLS, tenant, actor];
}

/** Tasks of all tenants, as `tasksOf` has them for one. */
export const TASKS: Key = ["task"];

/** Key of a call that waits for approval, by its task. */
export function waitingCallKey(tenant: string, actor: string, taskId: string): Key {
  return [...waitingCallsOf(tenant, actor), taskId];
}

/** Key of the task of a call that waits, by the digest of all that makes it the call it is. */
export function askedCallKey(tenant: string, digest: string): Key {
  return ["asked-call", tenant, digest];
}

/** Queue of calls that were approved, of all tenants; the value says whose each is. */
export const APPROVED_CALLS: Key = ["approved-call"];

export function approvedCallKey(taskId: string): Key {
  return [...APPROVED_CALLS, taskId];
}

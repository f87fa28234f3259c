import { createRecordReader } from "../../../json/stored.ts";
import { askedCallKey, waitingCallKey } from "../../../store/waiting-keys.ts";
import type { Json } from "../../../store/store.ts";
import type { RecordDesk } from "../desk.ts";
import { toRecord } from "../task.ts";

/** Evidence of a call that waits: the call as it is shown to who decides, and what came of it. */
export const CALL = "call.json";
export const OUTCOME = "outcome.json";

/** Stored record of a call that waits for approval: what its task must not show. */
export interface WaitingCall {
  readonly schemaVersion: 1;
  readonly tenant: string;
  readonly actor: string;
  /** Under which its task and run are kept. */
  readonly scope: string;
  readonly taskId: string;
  readonly runId: string;
  readonly commit: string;
  readonly tool: string;
  /** The role that its approver must have. */
  readonly by: string;
  /** Further roles that must approve it, each of them; absent: none. */
  readonly also?: readonly string[];
  /** SHA-256 of all that makes it the call it is. */
  readonly asked: string;
  /** SHA-256 of `call.json`: no other call runs than the one that was shown. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The caller's, by which its rights are worked out anew when the call runs. */
  readonly roles: readonly string[];
  readonly idempotencyKey?: string;
  /** Approvers before the last one, each for some of its roles; absent: none. */
  readonly earlier?: readonly Approver[];
  /** The last approver; absent until each role has approved it. */
  readonly approver?: Approver;
  /** True once nothing more will happen to it, so that only its outcome has to be fetched. */
  readonly isEnded?: boolean;
}

/** Approver of a call, and the right that it had. */
export interface Approver {
  readonly actor: string;
  readonly roles: readonly string[];
  /** The version and the tool that it was done with; absent for the operator of the data folder. */
  readonly commit?: string;
  readonly tool?: string;
}

export const readWaitingCall = createRecordReader<WaitingCall>("waiting-call");

/** The call of `call.json`. Its members have the names that people read. */
export interface ShownCall {
  readonly schema_version: 1;
  readonly task_id: string;
  readonly run_id: string;
  readonly caller: string;
  readonly version: string;
  readonly commit: string;
  readonly server: string;
  readonly tool: string;
  readonly tool_version: string;
  readonly input: Json;
  readonly approval: { readonly by: string; readonly also?: readonly string[]; readonly expires_at: string };
}

export const readShownCall = createRecordReader<ShownCall>("waiting-call-shown");

/** The roles that must approve a call, each of them. */
export function rolesOf({ by, also = [] }: Pick<WaitingCall, "by" | "also">): readonly string[] {
  return [by, ...also];
}

/** The roles that have not approved a call yet. */
export function findMissing(call: WaitingCall): readonly string[] {
  const approvers = [...(call.earlier ?? []), ...(call.approver === undefined ? [] : [call.approver])];
  return rolesOf(call).filter((role) => !approvers.some(({ roles }) => roles.includes(role)));
}

/** Names of who approved a call, in their order. */
export function showApprovers({ earlier = [], approver }: Pick<WaitingCall, "earlier" | "approver">): string {
  return [...earlier, ...(approver === undefined ? [] : [approver])].map(({ actor }) => actor).join(", ");
}

/** Writes roles for people: "a `auditor` and a `treasurer`". */
export function showRoles(roles: readonly string[]): string {
  return roles.map((role) => `a \`${role}\``).join(" and ");
}

/** The contents of `outcome.json`. */
export interface CallOutcome {
  readonly schema_version: 1;
  readonly task_id: string;
  readonly run_id: string;
  readonly status: "completed" | "failed";
  readonly conversation_id: string;
  readonly approved_by: string;
  readonly output?: Json;
  readonly error?: { readonly code: number; readonly name: string; readonly message: string; readonly details?: Json };
}

export const readCallOutcome = createRecordReader<CallOutcome>("waiting-call-outcome");

export function saveWaiting(desk: Pick<RecordDesk, "set">, call: WaitingCall): void {
  desk.set(waitingCallKey(call.tenant, call.actor, call.taskId), toRecord(call));
}

/** Forgets a call that has ended; its task and evidence stay. */
export function forgetWaiting(desk: Pick<RecordDesk, "delete">, { tenant, actor, taskId, asked }: WaitingCall): void {
  desk.delete(waitingCallKey(tenant, actor, taskId));
  desk.delete(askedCallKey(tenant, asked));
}

/** @throws INTERNAL_ERROR when it is there and cannot be understood. */
export async function findWaiting(
  desk: Pick<RecordDesk, "get">,
  tenant: string,
  actor: string,
  taskId: string,
): Promise<WaitingCall | undefined> {
  const value = await desk.get(waitingCallKey(tenant, actor, taskId));
  return value === undefined ? undefined : readWaitingCall(value);
}

import { ANONYMOUS } from "../../../auth/caller.ts";
import { CairnError } from "../../../errors.ts";
import { approvedCallKey } from "../../../store/waiting-keys.ts";
import { isSamePerson } from "../../../principal.ts";
import { toTime } from "../../../text/to-time.ts";
import type { RecordDesk } from "../desk.ts";
import type { Run } from "../run.ts";
import {
  type Approver,
  findMissing,
  findWaiting,
  rolesOf,
  saveWaiting,
  showRoles,
  type WaitingCall,
} from "./waiting-call.ts";

/** Right by which somebody decides: that of a caller, or of the operator of the data folder, who could give any role to anybody. */
export type Decider =
  | {
      readonly right: "caller";
      /** Roles that are not revoked. */
      readonly roles: readonly string[];
      /** True when who asked for a run or did it may approve it. */
      readonly allowsSelf: boolean;
      /** The version and the tool that it decides with. */
      readonly commit: string;
      readonly tool: string;
    }
  | { readonly right: "operator" };

/**
 * Finds the call that waits by this run, if the actor of the desk may decide about it: somebody of its tenant, who is not
 * its caller, and has one of the roles by its name or the data folder. No policy lets a caller approve its own call: an agent that was
 * talked into it would do just that.
 *
 * @throws FORBIDDEN; CONFLICT for a call whose time is over, and for a role that has approved it already.
 */
export async function findDecidable(
  desk: RecordDesk,
  tenant: string,
  run: Run,
  { decider, decision }: { readonly decider: Decider; readonly decision: "approved" | "rejected" },
): Promise<WaitingCall> {
  const call = await findWaiting(desk, tenant, run.actor.name, run.task_id);
  if (call === undefined) throw new CairnError("CONFLICT", `The call of task \`${run.task_id}\` waits no more.`);
  if (desk.tenant !== tenant) {
    throw new CairnError("FORBIDDEN", "Only somebody of the caller's own tenant may decide about its call.");
  }
  if (isSamePerson(desk.actor, call.actor)) {
    throw new CairnError("FORBIDDEN", `\`${call.actor}\` made this call; somebody else must decide about it.`);
  }
  if (decider.right === "caller") assertRole(decider.roles, rolesOf(call));
  if (desk.now >= call.expiresAt) {
    throw new CairnError(
      "CONFLICT",
      `The call could be approved until ${toTime(call.expiresAt)}; it has to be made anew.`,
    );
  }
  const missing = findMissing(call);
  if (decision === "approved" && !toApprover(desk, call, decider).roles.some((role) => missing.includes(role))) {
    throw new CairnError("CONFLICT", `The call waits for ${showRoles(missing)}; your role has approved it.`);
  }
  return call;
}

/** Returns the call as the actor of the desk has approved it: with `approver` once no role is missing. */
export function withApproval(desk: RecordDesk, call: WaitingCall, decider: Decider): WaitingCall {
  const approver = toApprover(desk, call, decider);
  const approved = { ...call, approver };
  return findMissing(approved).length === 0 ? approved : { ...call, earlier: [...(call.earlier ?? []), approver] };
}

function toApprover({ actor }: RecordDesk, call: WaitingCall, decider: Decider): Approver {
  if (decider.right === "operator") return { actor, roles: rolesOf(call) };
  return { actor, roles: decider.roles, commit: decider.commit, tool: decider.tool };
}

function assertRole(roles: readonly string[], needed: readonly string[]): void {
  // Such a caller's name is only what it says: an agent would give another, and approve what it asked for.
  if (roles.includes(ANONYMOUS)) {
    throw new CairnError(
      "FORBIDDEN",
      "Only callers with a token may decide about a call; without one, `cairn work approve` does on the machine of the service, with its data folder.",
    );
  }
  if (needed.some((role) => roles.includes(role))) return;
  const names = needed.map((role) => `\`${role}\``).join(" or ");
  throw new CairnError("FORBIDDEN", `Only who has the role ${names} by its name may decide about this call.`);
}

/** Stages that an approved call runs. */
export function queueApproved(desk: RecordDesk, call: WaitingCall): void {
  desk.set(approvedCallKey(call.taskId), { tenant: call.tenant, actor: call.actor });
}

/** Stages the end of a call whose task is cancelled. @throws CONFLICT for one that runs: it cannot be taken back. */
export async function endWaiting(desk: RecordDesk, tenant: string, run: Run): Promise<void> {
  if (run.status === "running") {
    throw new CairnError("CONFLICT", `The call of task \`${run.task_id}\` runs already.`);
  }
  const call = await findWaiting(desk, tenant, run.actor.name, run.task_id);
  if (call === undefined) return;
  saveWaiting(desk, { ...call, isEnded: true });
  desk.delete(approvedCallKey(call.taskId));
}

import { ARCHITECT, hasScope } from "../../../auth/scopes.ts";
import { isObject } from "../../../json/is-object.ts";
import { ARCHITECT_CHAT, holds, type Principal } from "../../../principal.ts";
import { requesterKey } from "../../../store/proposal-keys.ts";
import type { RecordDesk } from "../desk.ts";

/** A caller, as far as what it may do to the repository goes. */
export interface Contributor {
  readonly tenant: string;
  readonly actor: string;
  readonly roles: readonly string[];
  /** True if it might have asked for the change as feedback to the Architect, with these credentials. */
  readonly mayPropose: boolean;
}

/** Reads from a principal whether it may have the repository changed: by its roles, and with the credentials that it came with. */
export function toContributor(principal: Principal): Contributor {
  const { tenant, actor, roles = [], scopes = new Set() } = principal;
  // A token for the work server alone must not reach the repository.
  return { tenant, actor, roles, mayPropose: holds(principal, ARCHITECT_CHAT) && hasScope({ scopes }, ARCHITECT) };
}

/** Keeps with a task who has created it: whoever does the task later must not lend them more rights than they had. */
export function keepRequester(desk: RecordDesk, taskId: string, principal: Principal): void {
  const { actor, roles, mayPropose } = toContributor(principal);
  desk.set(requesterKey(desk.tenant, desk.scope, taskId), { actor, roles, mayPropose });
}

/** Finds who has created a task; undefined for tasks of the service itself, and of older versions of it. */
export async function findRequester(
  desk: Pick<RecordDesk, "get" | "scope">,
  tenant: string,
  taskId: string,
): Promise<Contributor | undefined> {
  const kept = await desk.get(requesterKey(tenant, desk.scope, taskId));
  return isObject(kept) ? { ...(kept as unknown as Omit<Contributor, "tenant">), tenant } : undefined;
}

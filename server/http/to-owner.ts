import type { Denied } from "../kernel/audit/denials.ts";
import type { Caller } from "../auth/caller.ts";

/** Returns the owner of a refused request, as far as known. */
export function toOwner(caller: Caller | undefined): Pick<Denied, "tenant" | "actor"> {
  return caller === undefined ? {} : { tenant: caller.tenant, actor: caller.actor };
}

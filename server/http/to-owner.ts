import type { Denied } from "../kernel/audit/denials.ts";
import type { Caller } from "../auth/caller.ts";

/** Whoever was turned away, as far as that is known by then. */
export function toOwner(caller: Caller | undefined): Pick<Denied, "tenant" | "actor"> {
  return caller === undefined ? {} : { tenant: caller.tenant, actor: caller.actor };
}

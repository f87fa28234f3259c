import { CairnError } from "../../errors.ts";
import type { AuditedLogs } from "./audit.ts";

/** UNAVAILABLE when what is done for this tenant could not be audited. */
export function assertAuditable(audit: Pick<AuditedLogs, "isBroken">, tenant: string): void {
  if (!audit.isBroken(tenant)) return;
  throw new CairnError("UNAVAILABLE", "The audit log of this tenant is broken; nothing is done until it is repaired.");
}

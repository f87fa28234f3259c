import { CairnError } from "../../errors.ts";
import type { Change } from "./audit-event.ts";
import type { Broken } from "./checkpoints.ts";
import type { Denied } from "./denials.ts";

/** The audit, as the rest of the service writes to it. Calls do not: their journal writes them. */
export interface Audit extends AuditedLogs {
  /** Notes a failure that kept someone from something; ignores any other. Never throws. */
  denied(error: unknown, who: Denied): void;
  /** Writes a change, and gives the id of its record; UNAVAILABLE when the log it belongs to is broken. */
  changed(change: Change): Promise<string>;
  /** The service's public key, a vkey of https://c2sp.org/signed-note. */
  readonly vkey: string;
  /** Writes what is still counted, and brings every checkpoint up to its log. */
  settled(): Promise<void>;
  health(): AuditHealth;
  close(): Promise<void>;
}

/** The logs of the audit, for those who append to them. */
export interface AuditedLogs {
  /** True once the tenant's log was found broken. Nothing may be written to it, and what cannot be audited must not be done. */
  isBroken(tenant: string): boolean;
  /** Notes that the log of this name has grown to this sequence number. */
  appended(log: string, seq: number): void;
}

export interface AuditHealth {
  readonly ok: boolean;
  readonly broken: readonly Broken[];
}

/** @throws UNAVAILABLE when nothing that is done for this tenant could be audited. */
export function assertAuditable(audit: Pick<AuditedLogs, "isBroken">, tenant: string): void {
  if (!audit.isBroken(tenant)) return;
  throw new CairnError("UNAVAILABLE", "The audit log of this tenant is broken; nothing is done until it is repaired.");
}

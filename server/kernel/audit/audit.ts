import type { Change } from "./audit-event.ts";
import type { Broken } from "./checkpoints.ts";
import type { Denied } from "./denials.ts";

/** What the rest of the service says to its audit. Calls are not said here: their journal writes them. */
export interface Audit extends AuditedLogs {
  /** Takes note of a failure that kept someone from something; of any other, does nothing. Never throws. */
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

/** What whoever appends to audit logs must ask and tell. */
export interface AuditedLogs {
  /** Whether the tenant's log was found broken. Nothing may be written to it, and what cannot be audited must not be done. */
  isBroken(tenant: string): boolean;
  /** The log of this name has grown to this sequence number. */
  appended(log: string, seq: number): void;
}

export interface AuditHealth {
  readonly ok: boolean;
  readonly broken: readonly Broken[];
}

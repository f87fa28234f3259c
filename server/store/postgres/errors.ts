import pg from "pg";
import { CairnError } from "../../errors.ts";

/** Conditions after which a transaction that is begun anew may well succeed: PostgreSQL's codes, appendix A. */
const REDO: ReadonlySet<string> = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: another node made a row that was absent
  "42710", // duplicate_object: another node made a table at once
  "42P07", // duplicate_table
  "55P03", // lock_not_available
]);

/** Conditions of a server that is not there, or not the one that takes writes. Class 08 belongs to them. */
const AWAY: ReadonlySet<string> = new Set([
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "57P05", // idle_session_timeout
  "25P03", // idle_in_transaction_session_timeout
  "25P04", // transaction_timeout: PostgreSQL 17
  "25006", // read_only_sql_transaction: it was made a standby
  "53300", // too_many_connections
]);

/** A database that is not there; class 28 is an account that is not let in. Neither passes by itself. */
const UNDEFINED_DATABASE = "3D000";

export type Trouble =
  /** The connection is of no use any more; what it was doing may or may not have happened. */
  | "away"
  /** Nothing has happened; the transaction may be begun anew. */
  | "redo"
  /** Nothing has happened, and nothing will. */
  | "refused";

/** Finds what an error of the client library means. Errors without a condition of the server come from the connection. */
export function toTrouble(error: unknown): Trouble {
  if (!(error instanceof pg.DatabaseError)) return "away";
  const { code = "", severity } = error;
  if (code.startsWith("28") || code === UNDEFINED_DATABASE) return "refused";
  if (REDO.has(code)) return "redo";
  return AWAY.has(code) || code.startsWith("08") || severity === "FATAL" || severity === "PANIC" ? "away" : "refused";
}

/** The error that callers get. Messages of the server name tables and conditions, never values or passwords. */
export function toUnavailable(what: string, cause: unknown): CairnError {
  if (cause instanceof CairnError) return cause;
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : toCode(cause);
  return new CairnError("UNAVAILABLE", `The store could not ${what}: ${reason}.`, { cause });
}

/** Node names a refused connection by its code alone. */
function toCode(cause: unknown): string {
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "the connection failed";
}

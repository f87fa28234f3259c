import type { Log } from "../../log/log.ts";
import type { Journal } from "../journal.ts";
import type { CallRecord } from "../record.ts";
import type { CallCommit } from "./call-commit.ts";

export interface SaveOptions {
  readonly journal: Journal;
  readonly durability: "effects" | "always";
  /** True where other nodes use the store: they may be asked at once for what a call was given or has asked. */
  readonly isShared?: boolean;
  readonly log: Log;
}

/**
 * Writes a call's record with its part of the commit; false when others changed what the call had read. Nobody waits for
 * the record of a call that changes nothing.
 */
export function save(
  { journal, durability, isShared = false, log }: SaveOptions,
  record: CallRecord,
  { part, isBinding }: CallCommit,
): true | Promise<boolean> {
  const isAwaited = isShared && (record.assignments !== undefined || record.outcome === "INPUT_REQUIRED");
  if (isBinding || isAwaited || durability === "always") return journal.commit(record, part);
  if (part === undefined) return journal.trail(record)?.then(() => true) ?? true;
  return journal.commit(record, part).catch((error: unknown) => {
    log.error({ err: error, call: record.id }, "record of a call without effect was not written");
    return true;
  });
}

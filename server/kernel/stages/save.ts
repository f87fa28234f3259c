import type { Log } from "../../log/log.ts";
import type { Journal } from "../journal.ts";
import type { CallRecord } from "../record.ts";
import type { CallCommit } from "./call-commit.ts";

export interface SaveOptions {
  readonly journal: Journal;
  readonly durability: "effects" | "always";
  readonly log: Log;
}

/**
 * Writes a call's record with its part of the commit; false when others changed what the call had read. Nobody waits for
 * the record of a call that changes nothing.
 */
export function save(
  { journal, durability, log }: SaveOptions,
  record: CallRecord,
  { part, isBinding }: CallCommit,
): true | Promise<boolean> {
  if (isBinding || durability === "always") return journal.commit(record, part);
  if (part === undefined) return journal.trail(record)?.then(() => true) ?? true;
  return journal.commit(record, part).catch((error: unknown) => {
    log.error({ err: error, call: record.id }, "record of a call without effect was not written");
    return true;
  });
}

import { applyCommit, type CommitState } from "../apply-commit.ts";
import { type CommitPlan, encodeLogName } from "../commit-plan.ts";
import { findEntry, nextRev, purgeEntries, putEntry, removeEntry } from "./entries.ts";
import type { Seen, Tables } from "./environment.ts";
import { toIdKey } from "./layout.ts";
import { appendToLog } from "./log.ts";
import type { CommitResult } from "../store.ts";

/** Each commit removes up to so many records whose time is over, plus two for each that it gives a time itself. */
const PURGED_PER_COMMIT = 16;

/** Within a transaction: does what the plan says, or finds what is in conflict with it and does nothing. */
export function createCommit(tables: Tables): (plan: CommitPlan, now: number, seen: Seen) => CommitResult {
  const state: Omit<CommitState, "append"> = {
    find: (key, now) => findEntry(tables, key, now),
    put: (key, record) => putEntry(tables, key, record),
    remove: (key) => removeEntry(tables, key),
    nextRev: () => nextRev(tables),
    findResult(id, now) {
      const kept = findEntry(tables, toIdKey(id), now);
      return kept && JSON.parse(kept.body.toString());
    },
    keepResult(id, result, until) {
      const body = Buffer.from(JSON.stringify(result));
      putEntry(tables, toIdKey(id), { rev: 0, expiresAt: until, leasedUntil: 0, body });
    },
  };
  return (plan, now, seen) => {
    const append: CommitState["append"] = (log, entry) => appendToLog(tables, seen, encodeLogName(log), entry);
    const result = applyCommit({ ...state, append }, plan, now);
    if (!result.ok || seen.isPurged) return result;
    const timed = plan.sets.filter(({ ttl }) => ttl !== undefined).length + (plan.id === undefined ? 0 : 1);
    seen.isPurged = purgeEntries(tables, now, PURGED_PER_COMMIT + 2 * timed);
    return result;
  };
}

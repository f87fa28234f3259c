import { CairnError } from "../../errors.ts";
import { COMMIT_IDS_KEPT_MS, type CommitPlan, encodeLogName } from "../commit-plan.ts";
import { findEntry, nextRev, purgeEntries, putEntry, removeEntry } from "./entries.ts";
import type { Tables } from "./environment.ts";
import { toIdKey } from "./layout.ts";
import { appendToLog } from "./log.ts";
import { readValue, type StoredRecord } from "../stored-record.ts";
import type { CommitResult, Key } from "../store.ts";

/** Each commit removes up to so many records whose time is over, plus two for each that it gives a time itself. */
const PURGED_PER_COMMIT = 16;

/** Within a transaction: does what the plan says, or finds what is in conflict with it and does nothing. */
export function applyCommit(tables: Tables, plan: CommitPlan, now: number): CommitResult {
  const idKey = plan.id === undefined ? undefined : toIdKey(plan.id);
  const earlier = idKey === undefined ? undefined : findEntry(tables, idKey, now);
  if (earlier !== undefined) return JSON.parse(earlier.body.toString());

  const conflict = findConflict(tables, plan, now);
  if (conflict !== undefined) return { ok: false, conflict };

  writeEntries(tables, plan, now);
  const links = plan.appends.map(({ log, entry }) => appendToLog(tables, encodeLogName(log), entry));
  const result: CommitResult = { ok: true, logs: links.map(({ seq, hash }) => ({ seq, hash })) };
  if (idKey !== undefined) {
    const body = Buffer.from(JSON.stringify(result));
    putEntry(tables, idKey, { rev: 0, expiresAt: now + COMMIT_IDS_KEPT_MS, leasedUntil: 0, body });
  }
  const timed = plan.sets.filter(({ ttl }) => ttl !== undefined).length + (idKey === undefined ? 0 : 1);
  purgeEntries(tables, now, PURGED_PER_COMMIT + 2 * timed);
  return result;
}

function findConflict(tables: Tables, { checks, renewals, adds }: CommitPlan, now: number): Key | undefined {
  for (const { key, rev } of checks) {
    if ((findEntry(tables, key.bytes, now)?.rev ?? 0) !== rev) return key.key;
  }
  for (const { key, fence } of renewals) {
    const record = findEntry(tables, key.bytes, now);
    if (record?.rev !== fence || record.leasedUntil <= now) return key.key;
  }
  for (const { key, delta, min, max } of adds) {
    const sum = toNumber(findEntry(tables, key.bytes, now), key.key) + delta;
    if (!Number.isFinite(sum) || sum < min || sum > max) return key.key;
  }
  return undefined;
}

function writeEntries(tables: Tables, { renewals, sets, dels, adds }: CommitPlan, now: number): void {
  const rev = sets.length + adds.length === 0 ? 0 : nextRev(tables);
  for (const { key, leaseMs } of renewals) {
    const record = findEntry(tables, key.bytes, now);
    if (record !== undefined) putEntry(tables, key.bytes, { ...record, leasedUntil: now + leaseMs });
  }
  for (const { key, body, ttl } of sets) {
    putEntry(tables, key.bytes, { rev, expiresAt: ttl === undefined ? 0 : now + ttl, leasedUntil: 0, body });
  }
  for (const { bytes } of dels) removeEntry(tables, bytes);
  for (const { key, delta } of adds) {
    const record = findEntry(tables, key.bytes, now);
    const body = Buffer.from(JSON.stringify(toNumber(record, key.key) + delta));
    putEntry(tables, key.bytes, { rev, expiresAt: record?.expiresAt ?? 0, leasedUntil: 0, body });
  }
}

function toNumber(record: StoredRecord | undefined, key: Key): number {
  const value = record === undefined ? 0 : readValue(record);
  if (typeof value === "number") return value;
  throw new CairnError("BAD_REQUEST", `\`add\` needs a number, but \`${JSON.stringify(key)}\` holds something else.`);
}

import { CairnError } from "../errors.ts";
import { COMMIT_IDS_KEPT_MS, type CommitPlan } from "./commit-plan.ts";
import type { Link } from "./hash-chain.ts";
import { readValue, type StoredRecord } from "./stored-record.ts";
import type { CommitResult, Key } from "./store.ts";

/** State of an engine that no other commit changes meanwhile. */
export interface CommitState {
  /** The record under `key`, unless there is none or its time is over by `now`. */
  find(key: Buffer, now: number): StoredRecord | undefined;
  put(key: Buffer, record: StoredRecord): void;
  remove(key: Buffer): void;
  /** Makes a revision that no entry has ever had. */
  nextRev(): number;
  /** Appends canonical JSON to the log of this name. */
  append(log: string, entry: string): Link;
  /** The result of the commit with this id, unless its time is over by `now`. */
  findResult(id: Buffer, now: number): CommitResult | undefined;
  keepResult(id: Buffer, result: CommitResult, until: number): void;
}

/** Does what the plan says, or finds what is in conflict with it and does nothing. The rules of a commit, for every engine. */
export function applyCommit(state: CommitState, plan: CommitPlan, now: number): CommitResult {
  const earlier = plan.id === undefined ? undefined : state.findResult(plan.id, now);
  if (earlier !== undefined) return earlier;

  const conflict = findConflict(state, plan, now);
  if (conflict !== undefined) return { ok: false, conflict };

  writeEntries(state, plan, now);
  const links = plan.appends.map(({ log, entry }) => state.append(log, entry));
  const result: CommitResult = { ok: true, logs: links.map(({ seq, hash }) => ({ seq, hash })) };
  if (plan.id !== undefined) state.keepResult(plan.id, result, now + COMMIT_IDS_KEPT_MS);
  return result;
}

function findConflict(state: CommitState, { checks, renewals, adds }: CommitPlan, now: number): Key | undefined {
  for (const { key, rev } of checks) {
    if ((state.find(key.bytes, now)?.rev ?? 0) !== rev) return key.key;
  }
  for (const { key, fence } of renewals) {
    const record = state.find(key.bytes, now);
    if (record?.rev !== fence || record.leasedUntil <= now) return key.key;
  }
  for (const { key, delta, min, max } of adds) {
    const sum = toNumber(state.find(key.bytes, now), key.key) + delta;
    if (!Number.isFinite(sum) || sum < min || sum > max) return key.key;
  }
  return undefined;
}

function writeEntries(state: CommitState, { renewals, sets, dels, adds }: CommitPlan, now: number): void {
  const rev = sets.length + adds.length === 0 ? 0 : state.nextRev();
  for (const { key, leaseMs } of renewals) {
    const record = state.find(key.bytes, now);
    if (record !== undefined) state.put(key.bytes, { ...record, leasedUntil: now + leaseMs });
  }
  for (const { key, body, ttl } of sets) {
    state.put(key.bytes, { rev, expiresAt: ttl === undefined ? 0 : now + ttl, leasedUntil: 0, body });
  }
  for (const { bytes } of dels) state.remove(bytes);
  for (const { key, delta } of adds) {
    const record = state.find(key.bytes, now);
    const body = Buffer.from(JSON.stringify(toNumber(record, key.key) + delta));
    state.put(key.bytes, { rev, expiresAt: record?.expiresAt ?? 0, leasedUntil: 0, body });
  }
}

function toNumber(record: StoredRecord | undefined, key: Key): number {
  const value = record === undefined ? 0 : readValue(record);
  if (typeof value === "number") return value;
  throw new CairnError("BAD_REQUEST", `\`add\` needs a number, but \`${JSON.stringify(key)}\` holds something else.`);
}

import { applyCommit } from "../apply-commit.ts";
import { type CommitPlan, encodeLogName } from "../commit-plan.ts";
import { decodeKey } from "../key-codec.ts";
import { toEntry } from "../stored-record.ts";
import type { Claimed, CommitResult, Key } from "../store.ts";
import type { Answer, Query } from "./connection.ts";
import { createGroupState, type GroupState, type LockedRows, NOT_READ } from "./group-state.ts";
import { readBytes, readEntryRow, readHeadRow, readResultRow } from "./rows.ts";
import { type Statement, STATEMENTS } from "./statements.ts";
import { writeChanges } from "./write-changes.ts";

/** Work of a group: a commit, or a claim of entries that were found free a moment ago. */
export type Work =
  | { readonly kind: "commit"; readonly plan: CommitPlan }
  | { readonly kind: "claim"; readonly found: readonly Buffer[]; readonly leaseMs: number; readonly limit: number };

/** Result of one work, or why it alone failed. */
export type Outcome = { readonly result: CommitResult | readonly Claimed[] } | { readonly error: unknown };

export interface Group {
  readonly works: readonly Work[];
  /** Identifier of the transaction, by which the server tells later whether it happened. */
  readonly turn: string;
  /** Hears that from now on the transaction may happen, whatever becomes of the connection. */
  readonly onCommitting: (outcomes: readonly Outcome[]) => void;
  /** Hears the server's clock, and returns the time that counts. */
  readonly onTime: (server: number) => number;
  /** Lists transactions that the database must still have. */
  readonly knownTurns: () => readonly string[];
  /** @throws CairnError where it has fewer than all of them */
  readonly assertKept: (count: number, turns: readonly string[]) => void;
  /** Locks the lease. */
  readonly lock: (query: Query) => Promise<Answer>;
  /** Refuses a lease that is another node's, or nobody's. @throws CairnError */
  readonly assertHolder: (lease: Answer) => void;
  /** Tells other nodes of keys that were changed; absent where there are none. */
  readonly toHint?: (keys: readonly Key[]) => string | undefined;
}

/**
 * Does works in one transaction and two round trips: locks all rows in their order, judges each work in turn, writes.
 * Returns `undefined` when the server rolled it back without an error. A rejection means that nothing has happened, but
 * when `onCommitting` was called and the connection broke: then only the turn tells.
 */
export async function performGroup(query: Query, group: Group): Promise<readonly Outcome[] | undefined> {
  let isOpen = true;
  try {
    const { rows, now } = await lockRows(query, group);
    const state = createGroupState(rows);
    const outcomes = group.works.map((work) => apply(state, work, now));
    const changes = state.changes();
    if (Object.values(changes).every(({ length }) => length === 0)) return outcomes;
    const hint = group.toHint?.(changes.entries.map(({ key }) => decodeKey(key)));
    const sent = [...writeChanges(query, changes, now), query(STATEMENTS.insertTurn, [group.turn])];
    if (hint !== undefined) sent.push(query(STATEMENTS.insertHint, [group.turn, hint]));
    group.onCommitting(outcomes);
    isOpen = false;
    const [ended, ...written] = await Promise.allSettled([query(STATEMENTS.commit), ...sent]);
    if (ended.status === "rejected") throw ended.reason;
    if (ended.value.command === "COMMIT") return outcomes;
    // A failed transaction answers COMMIT with ROLLBACK, and that is no error.
    const failed = written.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return undefined;
  } finally {
    // A connection that broke has rolled back already.
    if (isOpen) await query(STATEMENTS.rollback).catch(() => undefined);
  }
}

async function lockRows(
  query: Query,
  { works, onTime, lock, assertHolder, knownTurns, assertKept }: Group,
): Promise<{ readonly rows: LockedRows; readonly now: number }> {
  const { locked, bodies, logs, ids } = listNeeds(works);
  const some = (statement: Statement, names: readonly Buffer[]) =>
    names.length === 0 ? undefined : query(statement, [names]);
  const turns = knownTurns();
  const [, lease, heads, entries, texts, results, taken] = await Promise.all([
    query(STATEMENTS.begin),
    lock(query),
    some(STATEMENTS.lockHeads, logs),
    some(STATEMENTS.lockEntries, locked),
    some(STATEMENTS.readBodies, bodies),
    some(STATEMENTS.findIds, ids),
    // Behind the locks, so that whoever gets a row later gives it a higher revision.
    query(STATEMENTS.takeRevs, [turns]),
  ]);
  assertHolder(lease);
  const [{ rev, now, kept } = {}] = taken.rows;
  assertKept(Number(kept), turns);
  const bodyOf = new Map(texts?.rows.map(({ key, body }) => [toName(key), Buffer.from(String(body))]));
  const rows: LockedRows = {
    entries: new Map(
      entries?.rows.map((row) => {
        const { key, ...record } = readEntryRow(row);
        return [toName(key), { ...record, body: bodyOf.get(toName(key)) ?? NOT_READ }];
      }),
    ),
    heads: new Map(heads?.rows.map(readHeadRow).map(({ name, ...head }) => [toName(name), head])),
    results: new Map(results?.rows.map(readResultRow).map(({ id, ...result }) => [toName(id), result])),
    firstRev: Number(rev),
  };
  return { rows, now: onTime(Number(now)) };
}

function toName(column: unknown): string {
  return readBytes(column).toString("latin1");
}

/** Lists the rows that works need, in their order and each once. */
function listNeeds(works: readonly Work[]) {
  const locked: Buffer[] = [];
  const bodies: Buffer[] = [];
  const logs: Buffer[] = [];
  const ids: Buffer[] = [];
  for (const work of works) {
    if (work.kind === "claim") {
      locked.push(...work.found);
      bodies.push(...work.found);
      continue;
    }
    const { checks, renewals, sets, dels, adds, appends, id } = work.plan;
    for (const { key } of [...checks, ...renewals, ...sets, ...adds]) locked.push(key.bytes);
    for (const { bytes } of dels) locked.push(bytes);
    for (const { key } of adds) bodies.push(key.bytes);
    for (const { log } of appends) logs.push(encodeLogName(log));
    if (id !== undefined) ids.push(id);
  }
  return { locked: toOrdered(locked), bodies: toOrdered(bodies), logs: toOrdered(logs), ids: toOrdered(ids) };
}

function toOrdered(names: readonly Buffer[]): readonly Buffer[] {
  const sorted = names.toSorted(Buffer.compare);
  return sorted.filter((name, at) => at === 0 || !sorted[at - 1]?.equals(name));
}

function apply(state: GroupState, work: Work, now: number): Outcome {
  try {
    if (work.kind === "claim") return { result: applyClaim(state, work, now) };
    const result = applyCommit(state, work.plan, now);
    if (result.ok) for (const { key, rev } of work.plan.checks) if (rev === 0) state.relyOnAbsence(key.bytes);
    return { result };
  } catch (error) {
    return { error };
  }
}

function applyClaim(
  state: GroupState,
  { found, leaseMs, limit }: Extract<Work, { kind: "claim" }>,
  now: number,
): readonly Claimed[] {
  const claimed: Claimed[] = [];
  // One revision for all: no two of them share a key.
  let rev: number | undefined;
  for (const key of found) {
    if (claimed.length === limit) break;
    const record = state.find(key, now);
    if (record === undefined || record.leasedUntil > now) continue;
    rev ??= state.nextRev();
    const leased = { ...record, rev, leasedUntil: now + leaseMs };
    state.put(key, leased);
    claimed.push({ ...toEntry(decodeKey(key), leased), fence: rev });
  }
  return claimed;
}

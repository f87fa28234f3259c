import { assertAuditable, type AuditedLogs } from "./audit/audit.ts";
import type { Log } from "../log/log.ts";
import type { Assigner } from "./assigner.ts";
import { callKey } from "../store/keys.ts";
import { toSegmentKey, toSegments } from "../store/calls/segment.ts";
import type { Key, Store } from "../store/store.ts";
import type { CommitPart } from "./transaction.ts";
import { type CallRecord, toCommit, toWritten, type Written } from "./record.ts";

/** Milliseconds that a record may wait for others to be written with; the contract allows 100 until it is flushed. */
const GATHERING_MS = 40;
/** Records of one commit, and records that may wait before calls have to. */
const BATCH_LIMIT = 512;
const BACKLOG_LIMIT = 4096;

/** Queue of the records of calls on their way to the store, which keeps one record of each call: the first one. */
export interface Journal {
  /**
   * Writes a record and its part, together or not at all; false when others changed what the call had read, or when the
   * call has a record.
   */
  commit(record: CallRecord, part?: CommitPart): Promise<boolean>;
  /** Writes a record soon, with others; resolves when there is room for more. */
  trail(record: CallRecord): Promise<void> | undefined;
  /** True when nothing may be written for this tenant, so that nothing may be done either. */
  isBroken(tenant: string): boolean;
  /** Resolves once everything that trailed so far is written. */
  settled(): Promise<void>;
}

export interface JournalOptions {
  readonly store: Store;
  readonly log: Log;
  /** Absent where no audit is kept of the logs. */
  readonly audit?: AuditedLogs;
  /** Absent where no parameters are tuned. */
  readonly toCredit?: Assigner["toCredit"];
}

export function createJournal({ store, log, audit, toCredit }: JournalOptions): Journal {
  let waiting: Written[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let unwritten = 0;

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    if (batch.length === 0) return writing;
    waiting = [];
    const written = write(batch).then(() => void (unwritten -= batch.length));
    writing = Promise.all([writing, written]).then(() => undefined);
    return writing;
  };

  /** Writes what it is given unless there is something under one of the keys. */
  const append = async (commit: ReturnType<typeof toCommit>, absent: readonly Key[]): Promise<boolean> => {
    const check = [...(commit.check ?? []), ...absent.map((key) => ({ key, rev: 0 }))];
    const result = await store.commit({ ...commit, check });
    if (!result.ok) return false;
    for (let at = 0; at < commit.append.length; at += 1) {
      audit?.appended(commit.append[at]?.log ?? "", result.logs[at]?.seq ?? 0);
    }
    return true;
  };

  const write = async (batch: readonly Written[]): Promise<void> => {
    // A call that failed because the store gave no answer in time may have been written all the same, by itself.
    const failed = batch.filter((one) => !isGood(one));
    const segments = toSegments(batch.filter(isGood));
    const [only, ...others] = batch;
    if (only !== undefined && others.length === 0) return writeAlone(only, failed.map(keyOf));
    const isWritten = await append(toCommit(batch, { segments, toCredit }), failed.map(keyOf)).catch(() => false);
    if (isWritten) return;
    // One record that cannot be written must not take the others with it. An answer may have been lost, and all be written.
    const placed = new Map(segments.flatMap((of) => of.map((one) => [one, toSegmentKey(of)] as const)));
    const toPlaces = (one: Written) => [keyOf(one), placed.get(one)].filter((key) => key !== undefined);
    await Promise.all(batch.map((one) => writeAlone(one, toPlaces(one))));
  };

  const writeAlone = async (one: Written, absent: readonly Key[]): Promise<void> => {
    try {
      await append(toCommit([one], { toCredit }), absent);
    } catch (error) {
      log.error({ err: error, call: one.record.id }, "record of a call was not written");
    }
  };

  const isBroken = (tenant: string): boolean => audit?.isBroken(tenant) === true;

  return {
    async commit(record, part) {
      assertAuditable({ isBroken }, record.tenant);
      const written = toWritten(record);
      return append(toCommit([written], { part, toCredit }), [keyOf(written)]);
    },
    isBroken,
    trail(record) {
      // Then it is of a call that was under way when that was found.
      if (isBroken(record.tenant)) return undefined;
      // Now, and not with all others at once, for which calls beside a flush would wait.
      waiting.push(toWritten(record));
      unwritten += 1;
      if (unwritten >= BACKLOG_LIMIT) return flush();
      if (waiting.length >= BATCH_LIMIT) void flush();
      else timer ??= setTimeout(() => void flush(), GATHERING_MS);
      return undefined;
    },
    settled: flush,
  };
}

function isGood({ record }: Written): boolean {
  return record.outcome === "ok";
}

function keyOf({ record: { tenant, commit, id } }: Written): Key {
  return callKey(tenant, commit, id);
}

import { assertAuditable, type AuditedLogs } from "./audit/audit.ts";
import type { Log } from "../log/log.ts";
import type { Assigner } from "./assigner.ts";
import { callKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
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

  const append = async (commit: ReturnType<typeof toCommit>, once: readonly Written[]): Promise<boolean> => {
    const absent = once.map(({ record }) => ({ key: callKey(record.tenant, record.commit, record.id), rev: 0 }));
    const result = await store.commit({ ...commit, check: [...(commit.check ?? []), ...absent] });
    if (!result.ok) return false;
    for (let at = 0; at < commit.append.length; at += 1) {
      audit?.appended(commit.append[at]?.log ?? "", result.logs[at]?.seq ?? 0);
    }
    return true;
  };

  const write = async (batch: readonly Written[], isAgain = false): Promise<void> => {
    try {
      // A call that failed because the store gave no answer in time may have been written all the same.
      const once = isAgain ? batch : batch.filter(({ record }) => record.outcome !== "ok");
      if ((await append(toCommit(batch, undefined, toCredit), once)) || batch.length === 1) return;
    } catch (error) {
      if (batch.length === 1)
        return log.error({ err: error, call: batch[0]?.record.id }, "record of a call was not written");
    }
    // One record that cannot be written must not take the others with it.
    await Promise.all(batch.map((one) => write([one], true)));
  };

  const isBroken = (tenant: string): boolean => audit?.isBroken(tenant) === true;

  return {
    async commit(record, part) {
      assertAuditable({ isBroken }, record.tenant);
      const written = toWritten(record);
      return append(toCommit([written], part, toCredit), [written]);
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

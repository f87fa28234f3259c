import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import type { Stage } from "../syscalls/effects.ts";
import { type CallRecord, toCommit } from "./record.ts";

/** Milliseconds that a record may wait for others to be written with; the contract allows 100 until it is flushed. */
const GATHERING_MS = 40;
/** Records of one commit, and records that may wait before calls have to. */
const BATCH_LIMIT = 512;
const BACKLOG_LIMIT = 4096;

/** Where records of calls go on their way to the store. */
export interface Journal {
  /** Writes a record and what its call changed, together or not at all; false when what the call had read was changed. */
  commit(record: CallRecord, effects?: Stage): Promise<boolean>;
  /** Writes a record soon, with others; resolves when there is room for more. */
  trail(record: CallRecord): Promise<void> | undefined;
  /** Resolves once everything that trailed so far is written. */
  settled(): Promise<void>;
}

export function createJournal({ store, log }: { readonly store: Store; readonly log: Log }): Journal {
  let waiting: CallRecord[] = [];
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

  const write = async (batch: readonly CallRecord[]): Promise<void> => {
    try {
      await store.commit(toCommit(batch));
    } catch (error) {
      // One record that cannot be written must not take the others with it.
      if (batch.length > 1) await Promise.all(batch.map((record) => write([record])));
      else log.error({ err: error, call: batch[0]?.id }, "record of a call was not written");
    }
  };

  return {
    async commit(record, effects) {
      return (await store.commit(toCommit([record], effects))).ok;
    },
    trail(record) {
      waiting.push(record);
      unwritten += 1;
      if (unwritten >= BACKLOG_LIMIT) return flush();
      if (waiting.length >= BATCH_LIMIT) void flush();
      else timer ??= setTimeout(() => void flush(), GATHERING_MS);
      return undefined;
    },
    settled: flush,
  };
}

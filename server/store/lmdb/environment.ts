import type { Database } from "lmdb";
import { loadDiskRoom, showRoom } from "../../config/disk-room.ts";
import { CairnError } from "../../errors.ts";
import type { Link } from "../hash-chain.ts";
import { createInFlight } from "../in-flight.ts";
import { createTurn } from "../turn.ts";
import { openRoot, type TABLE_NAMES, TABLE_OPTIONS } from "./root.ts";

/** Ordered rows of bytes. Only the work of a transaction may write. */
export interface Table {
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  rows(range: Range): Iterable<Row>;
}

/** From `start` up to but without `end`; in reverse the same rows, last one first. */
export interface Range {
  readonly start: Buffer;
  readonly end: Buffer;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

export type Tables = Readonly<Record<(typeof TABLE_NAMES)[number], Table>>;

/** Findings of one transaction, which work behind other work need not look for again. */
export interface Seen {
  /** Newest links of logs, by the log's encoded name. */
  readonly heads: Map<string, Link>;
  /** True once no record is left whose time is over. */
  isPurged: boolean;
}

export interface Environment {
  readonly tables: Tables;
  /**
   * Runs `work` alone and all or nothing; resolved means flushed. All work of one turn of the event loop shares a flush.
   * `work` is synchronous: across an `await`, other requests' writes would join the transaction.
   */
  transact<Result>(work: (seen: Seen) => Result): Promise<Result>;
  /** Runs `read` on one state of the data, no older than the call. `read` is synchronous. */
  snapshot<Result>(read: () => Result): Result;
  /** Writes a compact copy into an existing, empty directory. */
  copy(directory: string): Promise<void>;
  /** Says whether LMDB's file is closed afterwards: it is not when the disk has failed. */
  close(): Promise<boolean>;
}

/** LMDB's environment with what is under way in it. */
interface State {
  readonly directory: string;
  readonly root: ReturnType<typeof openRoot>;
  readonly tables: Tables;
  readonly inFlight: ReturnType<typeof createInFlight>;
  /** Reason why no further operation runs. */
  refusal: CairnError | undefined;
}

export function openEnvironment(directory: string): Environment {
  const root = openRoot(directory);
  const table = (name: keyof Tables) => toTable(root.openDB(name, TABLE_OPTIONS));
  const tables: Tables = Object.freeze({
    entries: table("entries"),
    logs: table("logs"),
    expiry: table("expiry"),
    claims: table("claims"),
  });
  const inFlight = createInFlight();
  const state: State = { directory, root, tables, inFlight, refusal: undefined };
  let closing: Promise<boolean> | undefined;

  function assertOpen(): void {
    if (state.refusal !== undefined) throw state.refusal;
  }

  // Every batch has a promise of its own that only this reaches; unhandled, its rejection would end the process.
  root.on("beforecommit", () => queueMicrotask(() => root.committed.then(undefined, () => undefined)));

  // A child transaction, because only those undo what a callback did before it threw.
  const turn = createTurn(
    (work) => root.childTransaction(work),
    (error) => toCause(state, error),
    (): Seen => ({ heads: new Map(), isPurged: false }),
  );

  return Object.freeze({
    tables,
    async transact<Result>(work: (seen: Seen) => Result): Promise<Result> {
      assertOpen();
      return inFlight.track(turn.add(work));
    },
    snapshot<Result>(read: () => Result): Result {
      assertOpen();
      try {
        // LMDB's reads share a state for a moment; what was committed since must be in this one's.
        root.resetReadTxn();
        return read();
      } catch (error) {
        throw isLmdbError(error) ? unavailable("read", error) : error;
      }
    },
    async copy(target: string): Promise<void> {
      assertOpen();
      await inFlight.track(root.backup(target, true));
    },
    close: () => (closing ??= close(state)),
  });
}

async function close(state: State): Promise<boolean> {
  const closed = new CairnError("UNAVAILABLE", "The store is closed.");
  state.refusal ??= closed;
  await state.inFlight.settled();
  // Closing waits for what is in flight, which in a dead environment is for ever.
  if (state.refusal !== closed) return false;
  await state.root.close();
  return true;
}

async function toCause(state: State, error: unknown): Promise<unknown> {
  if (error instanceof CairnError || !(error instanceof Error)) return error;
  if (!("commitError" in error)) return isLmdbError(error) ? unavailable("write", error) : error;
  let cause: unknown = error;
  try {
    await error.commitError;
  } catch (reason) {
    // Where LMDB says why, and a rejection that would end the process if nobody took it.
    cause = reason;
  }
  refuseWhenDead(state);
  const room = await loadDiskRoom(state.directory).catch(() => undefined);
  // LMDB says "Input/output error" of a full disk, too.
  return unavailable("write", cause, room?.isFull ? `; no space is left on the disk (${showRoom(room)})` : "");
}

/** Once LMDB could not write its header it refuses everything, and its transactions never settle again. */
function refuseWhenDead(state: State): void {
  try {
    state.root.resetReadTxn();
    state.tables.entries.get(Buffer.of(0));
  } catch (cause) {
    state.refusal = new CairnError("UNAVAILABLE", "The disk failed under the store; restart Cairn.", { cause });
    state.inFlight.reject(state.refusal);
  }
}

function toTable(database: Database<Buffer, Buffer>): Table {
  return Object.freeze({
    get: (key: Buffer) => database.getBinary(key),
    put: (key: Buffer, value: Buffer) => void database.put(key, value),
    remove: (key: Buffer) => void database.remove(key),
    rows({ start, end, reverse = false, limit = Infinity }: Range) {
      return reverse
        ? database.getRange({ start: end, exclusiveStart: true, end: start, inclusiveEnd: true, reverse, limit })
        : database.getRange({ start, end, limit });
    },
  });
}

/** LMDB's own errors carry its number; Node's carry a name, and defects nothing. */
function isLmdbError(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

function unavailable(what: "read" | "write", cause: unknown, why = ""): CairnError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CairnError("UNAVAILABLE", `The store could not ${what}: ${reason}${why}.`, { cause });
}

import { mkdir } from "node:fs/promises";
import { CairnError } from "../../errors.ts";
import type { FileLock } from "../file-lock.ts";
import { encodeEntryKey, encodeLogName, integer, MAX_CLAIM, MAX_LEASE_MS, toCommitPlan } from "../commit-plan.ts";
import { encodeKey } from "../key-codec.ts";
import { backUp } from "./backup.ts";
import { checkEnvironment } from "./check.ts";
import { applyClaim, mayClaim } from "./claim.ts";
import { createCommit } from "./commit.ts";
import { findEntry } from "./entries.ts";
import { type Environment, openEnvironment } from "./environment.ts";
import { findHead, scanLog } from "./log.ts";
import { scanEntries } from "./scan.ts";
import { markClean, passStartGate } from "./start-gate.ts";
import { openSteadyClock } from "../steady-clock.ts";
import { toEntry } from "../stored-record.ts";
import type { Entry, Key, Store } from "../store.ts";
import { createWatchers } from "../watchers.ts";

export interface LmdbStoreOptions {
  /** Created if missing. One process at a time may have it open; file systems of a network may not have it. */
  readonly directory: string;
  /** Milliseconds since 1970; absent: the machine's, but that nobody can set it meanwhile. */
  readonly now?: () => number;
}

/** The `Store` in one file of memory-mapped B-trees. Hints of `watch` come from this process's own writes. */
export async function openLmdbStore({ directory, now: given }: LmdbStoreOptions): Promise<Store> {
  const { environment, lock } = await openGated(directory);
  const now = given ?? (await openSteadyClock(directory));
  const { tables } = environment;
  const applyCommit = createCommit(tables);
  const watchers = createWatchers();
  let closing: Promise<void> | undefined;

  function find(key: Key, bytes: Buffer): Entry | undefined {
    const record = findEntry(tables, bytes, now());
    return record && toEntry(key, record);
  }

  return Object.freeze<Store>({
    async get(key) {
      const bytes = encodeEntryKey(key);
      return environment.snapshot(() => find(key, bytes));
    },
    async getMany(keys) {
      const targets = keys.map((key) => ({ key, bytes: encodeEntryKey(key) }));
      return environment.snapshot(() => targets.map(({ key, bytes }) => find(key, bytes)));
    },
    scan: (options) => scanEntries(environment, options, now),
    async commit(commit) {
      const plan = toCommitPlan(commit);
      const result = await environment.transact((seen) => applyCommit(plan, now(), seen));
      const written = [...plan.sets, ...plan.adds].map(({ key }) => key);
      if (result.ok) watchers.hint([...written, ...plan.dels].map(({ key }) => key));
      return result;
    },
    async claim({ queue, leaseMs, limit, entry }) {
      const only = entry === undefined ? undefined : encodeEntryKey([...queue, entry]);
      const wanted = { queue: encodeEntryKey(queue), key: only };
      integer("leaseMs", leaseMs, 1, MAX_LEASE_MS);
      integer("limit", limit, 1, MAX_CLAIM);
      if (!environment.snapshot(() => mayClaim(tables, wanted, now()))) return [];
      const claimed = await environment.transact(() => applyClaim(tables, wanted, leaseMs, limit, now()));
      watchers.hint(claimed.map(({ key }) => key));
      return claimed;
    },
    readLog: (log, options) => scanLog(environment, encodeLogName(log), options),
    async head(log) {
      const name = encodeLogName(log);
      return environment.snapshot(() => findHead(tables, name));
    },
    watch(prefix, notify) {
      encodeKey(prefix);
      return watchers.watch(prefix, notify);
    },
    admin: Object.freeze<Store["admin"]>({
      backup: (target) => backUp(environment, target),
      check: () => checkEnvironment(environment),
      close: () => (closing ??= close()),
    }),
  });

  async function close(): Promise<void> {
    const isReleased = await environment.close();
    await markClean(directory);
    // LMDB keeps its file when the disk failed; then the lock goes with the process.
    if (isReleased) lock.release();
  }
}

/** Opens the file of a store for this process alone, once it is known to be whole. */
export async function openGated(directory: string): Promise<{ environment: Environment; lock: FileLock }> {
  let lock: FileLock | undefined;
  try {
    // State holds what tenants said; other accounts of the machine have no business with it.
    await mkdir(directory, { recursive: true, mode: 0o700 });
    lock = await passStartGate(directory);
    const environment = openEnvironment(directory);
    await markClean(directory);
    return { environment, lock };
  } catch (cause) {
    lock?.release();
    if (cause instanceof CairnError) throw cause;
    throw new CairnError("UNAVAILABLE", `The store in \`${directory}\` cannot be opened: ${String(cause)}.`, { cause });
  }
}

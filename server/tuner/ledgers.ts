import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { canonicalJson } from "../canonical-json.ts";
import { createRecordReader } from "../stored.ts";
import { readLogEntry } from "../store/log-entry.ts";
import { tuningKey, tuningLog } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import type { ParameterSet, Version } from "../versions/version.ts";
import { foldEvent } from "./state/fold-event.ts";
import { type TunedSet, toTunedSet } from "./state/tuned-set.ts";
import type { TuningEvent } from "./state/tuning-event.ts";
import { algorithmNameOf, createTuningState, type TuningState } from "./state/tuning-state.ts";

/** Events after which a snapshot is written, so that a restart need not fold them again. */
const SNAPSHOT_EVENTS = 1000;
/** Milliseconds that what was written may stay unseen by the assignment of values. */
const REFRESH_MS = 10;
/** Experiments kept in memory. */
const LEDGER_LIMIT = 1000;
/** Events folded at a stretch, before others have their turn. */
const STRETCH = 500;

/** One experiment of one tenant in one version, as far as its events have been read. */
export interface Ledger {
  readonly set: TunedSet;
  readonly log: string;
  /** Whether `latest` knows of everything that was written until a moment ago. */
  isFresh(): boolean;
  /** As last read, and what this process has since given out. */
  latest(): TuningState;
  /** Makes it fresh; whoever asks meanwhile waits for the same. */
  refresh(): Promise<unknown>;
  /** With every event that is written by now. */
  read(): Promise<TuningState>;
  /** Counts an event that is on its way to the store, until it is read from there. */
  anticipate(event: TuningEvent): void;
  /** From sequence number `from` on, with the hash that covers everything up to each. */
  events(from: number): AsyncIterable<{ readonly seq: number; readonly hash: string; readonly event: TuningEvent }>;
}

export interface Ledgers {
  /** Undefined where the version has no such experiment. */
  open(tenant: string, version: Version, name: string): Promise<Ledger> | Ledger | undefined;
}

export interface LedgersOptions {
  readonly store: Store;
  readonly now: () => number;
}

/** The states of experiments, each a fold of its log. Nothing but the log is needed to have them. */
export function createLedgers({ store, now }: LedgersOptions): Ledgers {
  const ledgers = new LRUCache<string, Ledger | Promise<Ledger>>({ max: LEDGER_LIMIT });
  return {
    open(tenant, version, name) {
      const key = tuningLog(tenant, version.commit, name);
      const known = ledgers.get(key);
      if (known !== undefined) return known;
      const parameters = version.parameters.get(name);
      if (parameters?.experiment === undefined) return undefined;
      const opening = openLedger({ store, now }, tenant, version, parameters);
      ledgers.set(key, opening);
      opening.then(
        (ledger) => ledgers.set(key, ledger),
        () => ledgers.delete(key),
      );
      return opening;
    },
  };
}

async function openLedger(
  { store, now }: LedgersOptions,
  tenant: string,
  version: Version,
  parameters: ParameterSet,
): Promise<Ledger> {
  const set = toTunedSet(parameters, tenant, version.commit);
  if (set === undefined) throw new TypeError(`\`${parameters.name}\` has no experiment.`);
  const log = tuningLog(tenant, version.commit, set.name);
  const key = tuningKey(tenant, version.commit, set.name);
  let confirmed = await loadSnapshot(store, key, set);
  let latest = confirmed;
  let kept = confirmed.seq;
  let readAt = 0;
  let tail: Promise<unknown> = Promise.resolve();
  let refreshing: Promise<unknown> | undefined;

  const catchUp = async (): Promise<TuningState> => {
    let state = confirmed;
    let count = 0;
    for await (const { bytes } of store.readLog(log, { from: state.seq + 1 })) {
      state = foldEvent(set, state, readEvent(bytes));
      if (++count % STRETCH === 0) await new Promise((resolve) => void setImmediate(resolve));
    }
    confirmed = state;
    latest = state;
    readAt = now();
    if (state.seq - kept >= SNAPSHOT_EVENTS) {
      kept = state.seq;
      await saveSnapshot(store, key, state);
    }
    return state;
  };
  const read = () => {
    const next = tail.then(catchUp, catchUp);
    tail = next;
    return next;
  };
  await read();

  return {
    set,
    log,
    isFresh: () => now() - readAt <= REFRESH_MS,
    latest: () => latest,
    refresh: () => (refreshing ??= read().finally(() => (refreshing = undefined))),
    read,
    async *events(from) {
      for await (const { seq, hash: chained, bytes } of store.readLog(log, { from })) {
        yield { seq, hash: chained, event: readEvent(bytes) };
      }
    },
    anticipate(event) {
      latest = { ...foldEvent(set, latest, event), seq: confirmed.seq };
    },
  };
}

const readTuningEvent = createRecordReader<TuningEvent>("tuning-event");
const readTuningSnapshot = createRecordReader<Snapshot>("tuning-snapshot");

interface Snapshot {
  readonly algorithm: string;
  readonly seq: number;
  readonly digest: string;
  readonly state: TuningState;
}

function readEvent(bytes: Uint8Array): TuningEvent {
  return readTuningEvent(readLogEntry(bytes));
}

/** One that was changed by hand, or is of another algorithm, is as good as none: the events are the truth. */
async function loadSnapshot(store: Store, key: readonly string[], set: TunedSet): Promise<TuningState> {
  const value = (await store.get(key))?.value;
  if (value === undefined) return createTuningState(set);
  const { algorithm, digest, state } = readTuningSnapshot(value);
  return algorithm === algorithmNameOf(set) && digest === digestOf(state) ? state : createTuningState(set);
}

async function saveSnapshot(store: Store, key: readonly string[], state: TuningState): Promise<void> {
  const { algorithm, seq } = state;
  const value = { schemaVersion: 1, algorithm, seq, digest: digestOf(state), state: state as unknown as Json };
  // Whichever process writes, the state at a sequence number is the same.
  await store.commit({ set: [{ key, value }] });
}

/** SHA-256 of the state's canonical JSON: the same events give the same digest on any machine. */
export function digestOf(state: unknown): string {
  return hash("sha256", canonicalJson(state));
}

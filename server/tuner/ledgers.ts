import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { canonicalJson } from "../canonical-json.ts";
import { isObject } from "../is-object.ts";
import { tuningKey, tuningLog } from "../store/keys.ts";
import type { Json, Store } from "../store/store.ts";
import type { ParameterSet, Version } from "../versions/version.ts";
import { foldEvent } from "./state/fold-event.ts";
import { type TunedSet, toTunedSet } from "./state/tuned-set.ts";
import type { TuningEvent } from "./state/tuning-event.ts";
import { algorithmNameOf, createTuningState, type TuningState } from "./state/tuning-state.ts";

/** Events after which a snapshot is written, so that a restart need not fold them again. */
const SNAPSHOT_EVENTS = 1000;
/** Milliseconds that what others have written may stay unseen by the assignment of values. */
const REFRESH_MS = 200;
/** Experiments kept in memory. */
const LEDGER_LIMIT = 1000;
/** Events folded at a stretch, before others have their turn. */
const STRETCH = 500;

/** One experiment of one tenant in one version, as far as its events have been read. */
export interface Ledger {
  readonly set: TunedSet;
  readonly log: string;
  /** As last read, and what this process has since given out. */
  latest(): TuningState;
  /** With every event that is written by now. */
  read(): Promise<TuningState>;
  /** Counts an event that is on its way to the store, until it is read from there. */
  anticipate(event: TuningEvent): void;
}

export interface Ledgers {
  /** Undefined where the version has no such experiment. */
  open(tenant: string, version: Version, name: string): Promise<Ledger> | Ledger | undefined;
}

/** The states of experiments, each a fold of its log. Nothing but the log is needed to have them. */
export function createLedgers({ store, now }: { readonly store: Store; readonly now: () => number }): Ledgers {
  const ledgers = new LRUCache<string, Ledger | Promise<Ledger>>({ max: LEDGER_LIMIT });
  return {
    open(tenant, version, name) {
      const key = tuningLog(tenant, version.commit, name);
      const known = ledgers.get(key);
      if (known !== undefined) return known;
      const parameters = version.parameters.get(name);
      if (parameters?.experiment === undefined) return undefined;
      const opening = openLedger(store, now, tenant, version, parameters);
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
  store: Store,
  now: () => number,
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
  let reading: Promise<TuningState> | undefined;

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
    const next = (reading ?? Promise.resolve(confirmed)).then(catchUp, catchUp);
    reading = next;
    return next;
  };
  await read();

  return {
    set,
    log,
    latest() {
      // Somebody else may have written: what is given out next time knows of it.
      if (now() - readAt > REFRESH_MS) {
        readAt = now();
        read().catch(() => undefined);
      }
      return latest;
    },
    read,
    anticipate(event) {
      latest = { ...foldEvent(set, latest, event), seq: confirmed.seq };
    },
  };
}

/** The entry of the log is the event; the store's own link around it is not. */
export function readEvent(bytes: Uint8Array): TuningEvent {
  const { entry } = JSON.parse(Buffer.from(bytes).toString()) as { readonly entry: TuningEvent };
  return entry;
}

/** A snapshot that is not whole, or of another algorithm, is as good as none. */
async function loadSnapshot(store: Store, key: readonly string[], set: TunedSet): Promise<TuningState> {
  const value = (await store.get(key))?.value;
  if (isObject(value) && value["schemaVersion"] === 1 && value["algorithm"] === algorithmNameOf(set)) {
    const { state, digest } = value;
    if (isObject(state) && digest === digestOf(state)) return state as unknown as TuningState;
  }
  return createTuningState(set);
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

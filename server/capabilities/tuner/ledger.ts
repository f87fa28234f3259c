import { hash } from "node:crypto";
import { canonicalJson } from "../../json/canonical-json.ts";
import { createRecordReader } from "../../json/stored.ts";
import { createSerial } from "../../serial.ts";
import { tuningKey, tuningLog } from "../../store/keys.ts";
import { readLogEntry } from "../../store/log-entry.ts";
import type { Json, Store } from "../../store/store.ts";
import { foldEvent } from "./state/fold-event.ts";
import { findChangedParts, inherit } from "./state/inheritance.ts";
import type { TunedSet } from "./state/tuned-set.ts";
import type { OpenedEvent, TuningEvent } from "./state/tuning-event.ts";
import { algorithmNameOf, createTuningState, RULES, STATE_SCHEMA, type TuningState } from "./state/tuning-state.ts";

/** Events after which a snapshot is written, so that a restart need not fold them again. */
const SNAPSHOT_EVENTS = 1000;
/** Milliseconds that what was written may stay unseen by the assignment of values. */
const REFRESH_MS = 10;
/** Events folded at a stretch, before others have their turn. */
const STRETCH = 500;

/** One experiment of one tenant in one version, as far as its events have been read. */
export interface Ledger {
  readonly set: TunedSet;
  readonly log: string;
  /** Checks that `latest` has everything that was written until a moment ago. */
  isFresh(): boolean;
  /** Checks that the log has its `opened` event, with the present rules. */
  hasBegun(): boolean;
  /** As last read, and what this process has since given out. */
  latest(): TuningState;
  /** Makes it fresh; whoever asks meanwhile waits for the same. */
  refresh(): Promise<unknown>;
  /** With every event that is written by now; before the first, as the experiment would begin now. */
  read(): Promise<TuningState>;
  /** Reads the state that the log records, without ancestors. */
  readRecorded(): Promise<TuningState>;
  /** Prepares the event that the log would begin with now. */
  prepareOpening(): Promise<OpenedEvent>;
  /** Writes that, unless it is written already. */
  begin(): Promise<void>;
  /** Counts an event that is on its way to the store, until it is read from there. */
  anticipate(event: TuningEvent): void;
  /** From sequence number `from` on, with the hash that covers everything up to each. */
  events(from: number): AsyncIterable<{ readonly seq: number; readonly hash: string; readonly event: TuningEvent }>;
}

/** A version whose tuning another one continues. */
export interface Ancestor {
  readonly version: string;
  readonly commit: string;
  readonly ledger: Ledger;
  readonly state: TuningState;
}

export interface LedgerOptions {
  readonly store: Store;
  readonly now: () => number;
  /** Undefined where no ancestor has had this experiment tuned. */
  readonly findAncestor: () => Promise<Ancestor | undefined>;
}

/** Reads the log of one experiment, from its snapshot on. */
export async function openLedger(
  { store, now, findAncestor }: LedgerOptions,
  { tenant, commit, set }: { readonly tenant: string; readonly commit: string; readonly set: TunedSet },
): Promise<Ledger> {
  const log = tuningLog(tenant, commit, set.name);
  const key = tuningKey(tenant, commit, set.name);
  let confirmed = await loadSnapshot(store, key, set);
  let latest = confirmed;
  let kept = confirmed.seq;
  let readAt = 0;
  const inTurn = createSerial();
  let refreshing: Promise<unknown> | undefined;
  let beginning: Promise<void> | undefined;

  const see = (state: TuningState): TuningState => {
    latest = state;
    readAt = now();
    return state;
  };
  const catchUp = async (): Promise<TuningState> => {
    let state = confirmed;
    let count = 0;
    for await (const { bytes } of store.readLog(log, { from: state.seq + 1 })) {
      state = foldEvent(set, state, readEvent(bytes));
      if (++count % STRETCH === 0) await new Promise((resolve) => void setImmediate(resolve));
    }
    confirmed = state;
    if (state.seq >= 0) see(state);
    if (state.seq - kept >= SNAPSHOT_EVENTS) {
      kept = state.seq;
      await saveSnapshot(store, key, state);
    }
    return state;
  };
  const readRecorded = () => inTurn(catchUp);
  const prepareOpening = () => toOpening(confirmed, set, findAncestor, now());
  const read = async () => {
    const state = await readRecorded();
    if (state.seq >= 0) return state;
    const preview = { ...foldEvent(set, state, await prepareOpening()), seq: state.seq };
    return confirmed.seq < 0 ? see(preview) : confirmed;
  };
  const begin = async () => {
    await readRecorded();
    if (confirmed.rules >= RULES) return;
    // Another process may do so at the same time: the first of two counts.
    await store.commit({ append: [{ log, entry: (await prepareOpening()) as unknown as Json }] });
    await readRecorded();
  };
  await readRecorded();

  return {
    set,
    log,
    isFresh: () => now() - readAt <= REFRESH_MS,
    hasBegun: () => confirmed.rules >= RULES,
    latest: () => latest,
    refresh: () => (refreshing ??= read().finally(() => (refreshing = undefined))),
    read,
    readRecorded,
    prepareOpening,
    begin: () => (beginning ??= begin().finally(() => (beginning = undefined))),
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

/** Makes the first event of a log in this state: the nearest ancestor's learning, or the reason why none is inherited. */
async function toOpening(
  state: TuningState,
  set: TunedSet,
  findAncestor: LedgerOptions["findAncestor"],
  at: number,
): Promise<OpenedEvent> {
  const event = { kind: "opened", rules: RULES } as const;
  const ancestor = state.seq >= 0 ? undefined : await findAncestor();
  if (ancestor === undefined) return { ...event, at };
  const { version, commit, ledger, state: from } = ancestor;
  const parent = { version, commit };
  const changed = findChangedParts(ledger.set, set);
  if (changed.length > 0) return { ...event, parent, changed, at };
  const hashed = await hashAt(ledger, from.seq);
  if (hashed === null) throw new TypeError(`\`${ledger.log}\` has lost its event ${from.seq}.`);
  const inherited = { seq: from.seq, hash: hashed, state: inherit(ledger.set, from, set) };
  return { ...event, parent, inherited, at };
}

/** The hash of an entry covers all before it, so it names the whole range; null where there is none. */
export async function hashAt({ events }: Pick<Ledger, "events">, seq: number): Promise<string | null> {
  if (seq < 0) return null;
  for await (const { hash: chained } of events(seq)) return chained;
  return null;
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

/** One that was changed by hand, or is of another form or algorithm, is as good as none: the events are the truth. */
async function loadSnapshot(store: Store, key: readonly string[], set: TunedSet): Promise<TuningState> {
  const value = (await store.get(key))?.value;
  if (value === undefined) return createTuningState(set);
  const { algorithm, digest, state } = readTuningSnapshot(value);
  const isKnown = state.schema === STATE_SCHEMA && algorithm === algorithmNameOf(set);
  return isKnown && digest === digestOf(state) ? state : createTuningState(set);
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

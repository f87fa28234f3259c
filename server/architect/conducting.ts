import { OPEN_FEEDBACK } from "../store/keys.ts";
import { HANDED_OVER } from "../store/proposal-keys.ts";
import { fenceStore } from "../store/fence-store.ts";
import type { Claimed, Entry, Store } from "../store/store.ts";

/** Open feedback that this process conducts. */
export interface Piece {
  readonly tenant: string;
  readonly id: string;
  /** The store for what is done about it: nothing is written once another process conducts it. */
  readonly store: Store;
  /** Aborts when this process is to leave it: it closes, or another one conducts it. */
  readonly signal: AbortSignal;
}

export interface ConductingOptions {
  readonly store: Store;
  /** Says whether other processes conduct feedback of the same store. */
  readonly isShared: boolean;
  /** False where another process conducts all feedback of the store, and hears of it by itself. */
  readonly conducts: boolean;
  /** Conducts a piece as far as it goes; resolves then. Does not reject. */
  readonly conduct: (piece: Piece) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Takes up open feedback, each piece in one process at a time. */
export interface Conducting {
  /** Takes up what is open, and nobody conducts. */
  look(): Promise<void>;
  /** Leaves everything as it stands, for another process or the next start. */
  close(): Promise<void>;
}

/** Milliseconds that feedback is this process's to conduct; it asks for more while it does. */
const LEASE_MS = 30_000;
const RENEWAL_MS = 10_000;
/** Milliseconds between looks for feedback whose process has ended, besides being told. With the lease, less than a minute. */
const POLL_MS = 10_000;
/** Pieces that one claim takes. */
const CLAIM_LIMIT = 100;

/**
 * Opens the taking up of feedback. Where the store is this process's alone, all that is open is its to conduct. Otherwise each
 * piece is claimed, and its claim is renewed; a process that dies loses its pieces to others within a minute.
 */
export function openConducting(options: ConductingOptions): Conducting {
  if (!options.conducts) return NONE;
  return options.isShared ? openShared(options) : openAlone(options);
}

const NONE: Conducting = Object.freeze({ look: async () => undefined, close: async () => undefined });

function openAlone({ store, conduct, onError }: ConductingOptions): Conducting {
  const closing = new AbortController();
  const conducted = new Map<string, Promise<void>>();
  const look = async () => {
    for await (const entry of store.scan({ prefix: OPEN_FEEDBACK })) {
      const { tenant, id } = readPiece(entry);
      if (closing.signal.aborted || conducted.has(id)) continue;
      const piece = { tenant, id, store, signal: closing.signal };
      conducted.set(
        id,
        conduct(piece).finally(() => conducted.delete(id)),
      );
    }
  };
  // Runs are handed over in calls of others.
  const unwatch = store.watch(HANDED_OVER, () => void look().catch(onError));
  return Object.freeze<Conducting>({
    look,
    async close() {
      unwatch();
      closing.abort();
      await Promise.allSettled(conducted.values());
    },
  });
}

/** A claim, from when it was made until what was done about the piece has ended. */
interface Held {
  readonly claimed: Claimed;
  readonly lost: AbortController;
  readonly done: Promise<void>;
}

function openShared({ store, conduct, onError }: ConductingOptions): Conducting {
  const closing = new AbortController();
  const held = new Set<Held>();
  let looking: Promise<void> | undefined;
  let isDue = false;

  async function claimAll(): Promise<void> {
    for (let count = CLAIM_LIMIT; count === CLAIM_LIMIT && !closing.signal.aborted;) {
      const claims = await store.claim({ queue: OPEN_FEEDBACK, leaseMs: LEASE_MS, limit: CLAIM_LIMIT });
      count = claims.length;
      for (const claimed of claims) take(claimed);
    }
  }

  function take(claimed: Claimed): void {
    const { tenant, id } = readPiece(claimed);
    // This process lost it, and is the one that takes it up again.
    const before = [...held].find((one) => readPiece(one.claimed).id === id);
    before?.lost.abort();
    const lost = new AbortController();
    const signal = AbortSignal.any([closing.signal, lost.signal]);
    const piece = { tenant, id, store: fenceStore(store, claimed), signal };
    const done = (before?.done ?? Promise.resolve()).then(() => conduct(piece)).finally(() => held.delete(one));
    const one: Held = { claimed, lost, done };
    held.add(one);
  }

  async function renew({ claimed: { key, fence }, lost }: Held): Promise<void> {
    const { ok } = await store.commit({ renew: [{ key, fence, leaseMs: LEASE_MS }] });
    if (!ok) lost.abort();
  }

  /** Has one look at a time, and one more where it was asked for meanwhile. */
  function look(): Promise<void> {
    isDue = true;
    looking ??= (async () => {
      while (isDue) {
        isDue = false;
        await claimAll();
      }
    })().finally(() => (looking = undefined));
    return looking;
  }

  const lookSoon = () => void look().catch(onError);
  const unwatch = store.watch(OPEN_FEEDBACK, lookSoon);
  const polls = setInterval(lookSoon, POLL_MS).unref();
  const renewals = setInterval(() => {
    for (const one of held) void renew(one).catch(onError);
  }, RENEWAL_MS).unref();

  return Object.freeze<Conducting>({
    look,
    async close() {
      unwatch();
      closing.abort();
      clearInterval(polls);
      await looking?.catch(onError);
      const left = [...held];
      await Promise.allSettled(left.map(({ done }) => done));
      clearInterval(renewals);
      await Promise.all(left.map(({ claimed }) => release(store, claimed).catch(onError)));
    },
  });
}

/** Frees a claim for others; writing an entry frees it. */
async function release(store: Store, { key, fence, value }: Claimed): Promise<void> {
  await store.commit({ check: [{ key, rev: fence }], set: [{ key, value }] });
}

function readPiece({ key, value }: Entry): Pick<Piece, "tenant" | "id"> {
  return { tenant: String(value), id: String(key.at(-1)) };
}

import { isObject } from "../json/is-object.ts";
import type { Json } from "../json/types.ts";
import type { Store } from "../store/store.ts";

/** A hint that something has moved where a repository is kept: a reason to look there again, and nothing to rely on. */
export interface Nudge {
  /** The name of a branch. */
  readonly branch?: string;
  /** A commit, of which checks or statuses are known that were not. */
  readonly commit?: string;
  /** The number of a proposal. */
  readonly number?: number;
}

export interface Nudges {
  nudge(nudge: Nudge): void;
  /** Returns "stop". */
  onNudge(listener: (nudge: Nudge) => void): () => void;
}

/** `onError` hears of what a listener throws; the others are told all the same. */
export function createNudges(onError: (error: unknown) => void): Nudges {
  const listeners = new Set<(nudge: Nudge) => void>();
  return Object.freeze({
    nudge(nudge: Nudge) {
      for (const listener of listeners) {
        try {
          listener(nudge);
        } catch (error) {
          onError(error);
        }
      }
    },
    onNudge(listener: (nudge: Nudge) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
}

/** Milliseconds for which a nudge can be heard by other nodes. */
const KEPT_MS = 60_000;
const PREFIX = ["forge-nudge"];

interface ShareNudgesOptions {
  readonly store: Store;
  /** Identifier of this process among those of the store. */
  readonly opening: string;
  readonly onError: (error: unknown) => void;
}

/** Passes nudges on to other nodes, and hears theirs: a webhook reaches one node, and what waits for it may be on another. */
export function shareNudges(own: Nudges, { store, opening, onError }: ShareNudgesOptions) {
  const heard = new Set<string>();
  let sent = 0;

  async function hear(): Promise<void> {
    const there = new Set<string>();
    for await (const { key, value } of store.scan({ prefix: PREFIX })) {
      const id = JSON.stringify(key);
      there.add(id);
      if (heard.has(id) || key[1] === opening) continue;
      heard.add(id);
      const nudge = readNudge(value);
      if (nudge !== undefined) own.nudge(nudge);
    }
    for (const id of heard) if (!there.has(id)) heard.delete(id);
  }

  const stop = store.watch(PREFIX, () => void hear().catch(onError));
  return {
    onNudge: own.onNudge,
    nudge(nudge: Nudge) {
      own.nudge(nudge);
      const key = [...PREFIX, opening, (sent += 1)];
      void store.commit({ set: [{ key, value: { ...nudge }, ttl: KEPT_MS }] }).catch(onError);
    },
    close: stop,
  };
}

function readNudge(value: Json): Nudge | undefined {
  if (!isObject(value)) return undefined;
  const { branch, commit, number } = value;
  return {
    ...(typeof branch === "string" && { branch }),
    ...(typeof commit === "string" && { commit }),
    ...(typeof number === "number" && { number }),
  };
}

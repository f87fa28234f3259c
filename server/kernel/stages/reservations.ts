import { randomUUID } from "node:crypto";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Key, Store } from "../../store/store.ts";

/** The right to do what an idempotency key stands for, which one node at a time has. */
export interface Reservations {
  /**
   * Takes the right, unless `find` finds that somebody has used it: waits for another node that has it. Resolves to what was found, or
   * to `undefined` where this node may go on. @throws UNAVAILABLE when the other one is still busy after `limitMs`
   */
  take<Found>(key: Key, limitMs: number, find: () => Promise<Found | undefined>): Promise<Found | undefined>;
  /** Gives back the right, where this node has it. */
  release(key: Key): Promise<void>;
}

/** Milliseconds that a right outlives the time of its call: its end must be written before another node goes on. */
const MARGIN_MS = 30_000;
/** Milliseconds between looks at what another node is doing. */
const LOOK_MS = 100;

/** Creates the reservations of one of several nodes over their store. */
export function createReservations(store: Store): Reservations {
  /** Marks of the rights that this node has, by key. */
  const taken = new Map<string, string>();

  async function tryTake(key: Key, limitMs: number): Promise<boolean> {
    const by = randomUUID();
    const set = [{ key, value: { by }, ttl: limitMs + MARGIN_MS }];
    const { ok } = await store.commit({ check: [{ key, rev: 0 }], set });
    if (ok) taken.set(JSON.stringify(key), by);
    return ok;
  }

  return Object.freeze<Reservations>({
    async take(key, limitMs, find) {
      const begun = performance.now();
      for (;;) {
        const before = await find();
        if (before !== undefined) return before;
        if (await tryTake(key, limitMs)) break;
        if (performance.now() - begun > limitMs) {
          throw new CairnError(
            "UNAVAILABLE",
            "A call with this idempotency key is under way in another process of the service; try again.",
          );
        }
        await untilChanged(store, key);
      }
      // Whoever had the right a moment ago may have used it.
      return find();
    },
    async release(key) {
      const by = taken.get(JSON.stringify(key));
      if (by === undefined) return;
      taken.delete(JSON.stringify(key));
      const entry = await store.get(key);
      if (!isObject(entry?.value) || entry.value["by"] !== by) return;
      await store.commit({ check: [{ key, rev: entry.rev }], del: [key] });
    },
  });
}

function untilChanged(store: Store, key: Key): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, LOOK_MS);
    const stop = store.watch(key, end);
  });
}

import { randomUUID } from "node:crypto";
import { CairnError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import { type Counted, COUNTER_LIMIT, MINUTE_MS, type Standing, type Taken } from "./meter.ts";
import {
  type Counter,
  createChange,
  createCounter,
  hasRoom,
  livePlaces,
  MAX_TRIES,
  PLACE_LIFE_MS,
  loadStanding,
  planLease,
  type Refusal,
} from "./shared-counter.ts";

/** Counts calls for all nodes of a store. */
export interface SharedMeter {
  /** As `Meter.take`; asks the store where this node's share is used up. Rejects with UNAVAILABLE when that does not answer. */
  take(all: readonly Counted[]): Taken | Promise<Taken>;
  /** Looks at one counter as all nodes have used it, without counting. Shares that nodes hold count as used. */
  look(counted: Counted): Promise<Standing>;
  /** Gives back what is not used. */
  close(): Promise<void>;
}

/** Milliseconds between signs of life for places that are used. */
const RENEW_MS = 10_000;
/** Milliseconds for which a free place is kept for this node's next call. */
const KEEP_MS = 250;

/** Creates the meter of one of several nodes. `now`: milliseconds since 1970, as the store counts them. */
export function createSharedMeter(store: Store, now: () => number): SharedMeter {
  const counters = new Map<string, Counter>();
  const { refill, later, tend } = createShares(store, now, counters);

  function tryTake(all: readonly Counted[]): Taken | undefined {
    const taken: Counter[] = [];
    for (const { key, allowance } of all) {
      const counter = counters.get(key);
      if (counter === undefined || !hasRoom(counter, allowance, now())) return undefined;
      taken.push(counter);
    }
    for (const [at, counter] of taken.entries()) {
      const rate = all[at]?.allowance.rate;
      counter.running += 1;
      if (rate !== undefined) counter.credit -= MINUTE_MS / rate;
    }
    return {
      ok: true,
      release() {
        for (const [at, counter] of taken.splice(0).entries()) {
          counter.running -= 1;
          const key = all[at]?.key;
          if (key !== undefined && counter.places > counter.running) later(key, counter, KEEP_MS);
        }
      },
    };
  }

  async function ask(all: readonly Counted[]): Promise<Taken> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      for (const [index, { key }] of all.entries()) {
        if (counters.has(key)) continue;
        if (counters.size >= COUNTER_LIMIT) return { ok: false, index, limit: "counters", retryMs: MINUTE_MS };
        counters.set(key, createCounter());
      }
      for (const [index, counted] of all.entries()) {
        const refusal = await refill(counted);
        if (refusal !== undefined) return { ...refusal, index };
      }
      const taken = tryTake(all);
      if (taken !== undefined) return taken;
    }
    throw new CairnError("UNAVAILABLE", "Too many calls of the same callers are counted at once; try again.");
  }

  return Object.freeze<SharedMeter>({
    take: (all) => tryTake(all) ?? ask(all),
    look: (counted) => loadStanding(store, counted, now()),
    async close() {
      for (const [key, counter] of counters) {
        clearTimeout(counter.timer);
        tend(key, counter);
      }
      await Promise.all([...counters.values()].map(({ busy }) => busy));
      for (const { timer } of counters.values()) clearTimeout(timer);
    },
  });
}

/** Creates what takes shares of counters from the store, and gives them back. */
function createShares(store: Store, now: () => number, counters: Map<string, Counter>) {
  const self = randomUUID();
  const change = createChange(store, now);

  /** Asks the store for what one counter lacks; calls that lack it at once ask once. */
  function refill({ key, allowance }: Counted): Promise<Refusal | undefined> {
    const counter = counters.get(key);
    if (counter === undefined) return Promise.resolve(undefined);
    counter.waiting += 1;
    const refilled = counter.busy
      .then(async () => (hasRoom(counter, allowance, now()) ? undefined : lease(key, counter, allowance)))
      .finally(() => (counter.waiting -= 1));
    counter.busy = refilled.catch(() => undefined);
    return refilled;
  }

  function lease(key: string, counter: Counter, allowance: Counted["allowance"]) {
    return change(key, (shared, moment) => {
      const planned = planLease(shared, { counter, allowance, moment, self });
      if ("limit" in planned) return { refusal: planned };
      const apply = () => {
        Object.assign(counter, planned.counter);
        later(key, counter, RENEW_MS);
      };
      return { next: planned.next, apply };
    });
  }

  /** Gives back places that nobody uses, and keeps those that are. */
  function tend(key: string, counter: Counter): void {
    delete counter.timer;
    const tended = counter.busy.then(async () => {
      const had = counter.places;
      // From now on: a call that came while the store is written would have a place that another node may take.
      counter.places = counter.running;
      if (had > 0) {
        await change(key, (shared, moment) => {
          const { [self]: _mine, ...others } = livePlaces(shared, moment);
          const { running } = counter;
          const until = moment + PLACE_LIFE_MS;
          const places = running === 0 ? others : { ...others, [self]: [running, until] as const };
          return { next: { ...shared, places }, apply: () => void Object.assign(counter, { placesUntil: until }) };
        });
      }
      if (counter.places > 0 || counter.running > 0 || now() < counter.creditUntil) later(key, counter, RENEW_MS);
      else if (counter.waiting === 0) counters.delete(key);
    });
    // A store that is away: places end by themselves, and are asked for again.
    counter.busy = tended.catch(() => later(key, counter, RENEW_MS));
  }

  function later(key: string, counter: Counter, ms: number): void {
    const due = performance.now() + ms;
    if (counter.timer !== undefined && counter.due <= due) return;
    clearTimeout(counter.timer);
    counter.due = due;
    counter.timer = setTimeout(() => tend(key, counter), ms).unref();
  }

  return { refill, later, tend };
}

import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Key, Store } from "../../store/store.ts";
import { type Counted, COUNTER_LIMIT, MINUTE_MS, type Taken, TOLERANCE_MS } from "./meter.ts";

/** Counts calls for all nodes of a store. */
export interface SharedMeter {
  /** As `Meter.take`; asks the store where this node's share is used up. Rejects with UNAVAILABLE when that does not answer. */
  take(all: readonly Counted[]): Taken | Promise<Taken>;
  /** Gives back what is not used. */
  close(): Promise<void>;
}

/** A node's share of a bucket: this part of a minute, or one call where that is more. So much may be refused early, for each other node. */
const SHARE_MS = MINUTE_MS / 16;
/** Milliseconds for which an unused share is good. */
const SHARE_LIFE_MS = 10_000;
/** Milliseconds after which places of a node that has ended are free, and between its signs of life. */
const PLACE_LIFE_MS = 30_000;
const RENEW_MS = 10_000;
/** Milliseconds for which a free place is kept for this node's next call. */
const KEEP_MS = 250;
/** A record that nobody has written for so many milliseconds counts nothing any more. */
const RECORD_TTL_MS = 2 * MINUTE_MS;
const MAX_TRIES = 20;
const LONGEST_PAUSE_MS = 10;

/** Record of one counter in the store. */
interface Shared {
  /** Time at which everything taken will be available again. */
  readonly until: number;
  /** Places that nodes have, and until when. */
  readonly places: Readonly<Record<string, readonly [count: number, until: number]>>;
}

interface Counter {
  /** Milliseconds of the bucket that are this node's to take, and until when. */
  credit: number;
  creditUntil: number;
  running: number;
  /** Calls that this node may run at once, and until when. */
  places: number;
  placesUntil: number;
  /** The last change of it in the store. */
  busy: Promise<unknown>;
  /** Calls that wait for the store. */
  waiting: number;
  /** Time of the next look at it, by `performance.now()`. */
  due: number;
  timer?: NodeJS.Timeout;
}

type Refusal = Extract<Taken, { ok: false }>;

/** Creates the meter of one of several nodes. `now`: milliseconds since 1970, as the store counts them. */
export function createSharedMeter(store: Store, now: () => number): SharedMeter {
  const self = randomUUID();
  const counters = new Map<string, Counter>();
  const change = createChange(store, now);

  function hasRoom(counter: Counter, { rate, concurrency }: Counted["allowance"]): boolean {
    const moment = now();
    if (concurrency !== undefined) {
      const places = moment < counter.placesUntil ? Math.min(counter.places, concurrency) : 0;
      if (counter.running >= places) return false;
    }
    return rate === undefined || (moment < counter.creditUntil && counter.credit + TOLERANCE_MS >= MINUTE_MS / rate);
  }

  function tryTake(all: readonly Counted[]): Taken | undefined {
    const taken: Counter[] = [];
    for (const { key, allowance } of all) {
      const counter = counters.get(key);
      if (counter === undefined || !hasRoom(counter, allowance)) return undefined;
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

  /** Asks the store for what one counter lacks; calls that lack it at once ask once. */
  function refill({ key, allowance }: Counted): Promise<Omit<Refusal, "index"> | undefined> {
    const counter = counters.get(key);
    if (counter === undefined) return Promise.resolve(undefined);
    counter.waiting += 1;
    const refilled = counter.busy
      .then(async () => (hasRoom(counter, allowance) ? undefined : lease(key, counter, allowance)))
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
      if (counter.places > 0) {
        await change(key, (shared, moment) => {
          const { [self]: _mine, ...others } = livePlaces(shared, moment);
          const until = moment + PLACE_LIFE_MS;
          const { running } = counter;
          const places = running === 0 ? others : { ...others, [self]: [running, until] as const };
          const apply = () => void Object.assign(counter, { places: running, placesUntil: until });
          return { next: { ...shared, places }, apply };
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

type Changed = { readonly refusal: Omit<Refusal, "index"> } | { readonly next: Shared; readonly apply: () => void };

/** Creates the change of a record, which is made anew on what other nodes have written meanwhile. */
function createChange(store: Store, now: () => number) {
  return async function change(
    name: string,
    to: (shared: Shared, moment: number) => Changed,
  ): Promise<Omit<Refusal, "index"> | undefined> {
    const key: Key = ["meter", name];
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const entry = await store.get(key);
      const made = to(readShared(entry?.value), now());
      if ("refusal" in made) return made.refusal;
      const value = { until: made.next.until, places: { ...made.next.places } };
      const set = [{ key, value: JSON.parse(JSON.stringify(value)), ttl: RECORD_TTL_MS }];
      if ((await store.commit({ check: [{ key, rev: entry?.rev ?? 0 }], set })).ok) {
        made.apply();
        return undefined;
      }
      await sleep(randomInt(LONGEST_PAUSE_MS));
    }
    throw new CairnError("UNAVAILABLE", "Other nodes count calls of the same callers too often; try again.");
  };
}

/** Finds what a node may take of what one counter has left, for the calls of its that wait. */
function planLease(
  shared: Shared,
  given: {
    readonly counter: Counter;
    readonly allowance: Counted["allowance"];
    readonly moment: number;
    readonly self: string;
  },
): Omit<Refusal, "index"> | { readonly next: Shared; readonly counter: Partial<Counter> } {
  const { counter, allowance, moment, self } = given;
  const { rate, concurrency } = allowance;
  let until = Math.max(shared.until, moment);
  const places = livePlaces(shared, moment);
  const own: Partial<Counter> = {};
  const credit = moment < counter.creditUntil ? counter.credit : 0;
  const cost = rate === undefined ? 0 : MINUTE_MS / rate;
  if (credit + TOLERANCE_MS < cost) {
    const free = moment + MINUTE_MS - until;
    if (credit + free + TOLERANCE_MS < cost) return { ok: false, limit: "rate", retryMs: cost - credit - free };
    const grant = Math.min(Math.max(cost * counter.waiting, SHARE_MS), free);
    until += grant;
    Object.assign(own, { credit: credit + grant, creditUntil: moment + SHARE_LIFE_MS });
  }
  if (concurrency !== undefined) {
    const others = Object.entries(places).filter(([node]) => node !== self);
    const free = concurrency - others.reduce((sum, [, [count]]) => sum + count, 0);
    const wanted = Math.min(free, counter.running + counter.waiting);
    if (wanted <= counter.running) return { ok: false, limit: "concurrency", retryMs: 0 };
    places[self] = [wanted, moment + PLACE_LIFE_MS];
    Object.assign(own, { places: wanted, placesUntil: moment + PLACE_LIFE_MS });
  }
  return { next: { until, places }, counter: own };
}

function createCounter(): Counter {
  const nothing = { credit: 0, creditUntil: 0, running: 0, places: 0, placesUntil: 0 };
  return { ...nothing, busy: Promise.resolve(), waiting: 0, due: 0 };
}

function livePlaces({ places }: Shared, moment: number): Record<string, readonly [number, number]> {
  return Object.fromEntries(Object.entries(places).filter(([, [, until]]) => until > moment));
}

function readShared(value: unknown): Shared {
  if (!isObject(value) || typeof value["until"] !== "number" || !isObject(value["places"]))
    return { until: 0, places: {} };
  return { until: value["until"], places: value["places"] as Shared["places"] };
}

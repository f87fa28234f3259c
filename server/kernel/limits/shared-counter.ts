import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../errors.ts";
import { isObject } from "../../json/is-object.ts";
import type { Key, Store } from "../../store/store.ts";
import { type Counted, MINUTE_MS, type Standing, type Taken, toLeft, TOLERANCE_MS } from "./meter.ts";

/** A node's share of a bucket: this part of a minute, or one call where that is more. So much may be refused early, for each other node. */
const SHARE_MS = MINUTE_MS / 16;
/** Milliseconds for which an unused share is good. */
const SHARE_LIFE_MS = 10_000;
/** Milliseconds after which places of a node that has ended are free. */
export const PLACE_LIFE_MS = 30_000;
/** A record that nobody has written for so many milliseconds counts nothing any more. */
const RECORD_TTL_MS = 2 * MINUTE_MS;
export const MAX_TRIES = 20;
const LONGEST_PAUSE_MS = 10;

/** Record of one counter in the store. */
export interface Shared {
  /** Time at which everything taken will be available again. */
  readonly until: number;
  /** Places that nodes have, and until when. */
  readonly places: Readonly<Record<string, readonly [count: number, until: number]>>;
}

/** A counter as one node has it. */
export interface Counter {
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

/** Limit that was met, whichever nodes met it. */
export type Refusal = Omit<Extract<Taken, { ok: false }>, "index">;

type Changed = { readonly refusal: Refusal } | { readonly next: Shared; readonly apply: () => void };

/** Creates the change of a record, which is made anew on what other nodes have written meanwhile. */
export function createChange(store: Store, now: () => number) {
  return async function change(
    name: string,
    to: (shared: Shared, moment: number) => Changed,
  ): Promise<Refusal | undefined> {
    const key = toKey(name);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const entry = await store.get(key);
      const made = to(readShared(entry?.value), now());
      if ("refusal" in made) return made.refusal;
      const set = [{ key, json: JSON.stringify(made.next), ttl: RECORD_TTL_MS }];
      if ((await store.commit({ check: [{ key, rev: entry?.rev ?? 0 }], set })).ok) {
        made.apply();
        return undefined;
      }
      await sleep(randomInt(LONGEST_PAUSE_MS));
    }
    throw new CairnError("UNAVAILABLE", "Other nodes count calls of the same callers too often; try again.");
  };
}

/** Loads how one counter stands in the store. */
export async function loadStanding(
  store: Store,
  { key, allowance: { rate } }: Counted,
  moment: number,
): Promise<Standing> {
  const shared = readShared((await store.get(toKey(key)))?.value);
  const running = Object.values(livePlaces(shared, moment)).reduce((sum, [count]) => sum + count, 0);
  return rate === undefined ? { running } : { running, left: toLeft(rate, shared.until - moment) };
}

function toKey(name: string): Key {
  return ["meter", name];
}

/** Says whether a node may run one more call without asking the store. */
export function hasRoom(counter: Counter, { rate, concurrency }: Counted["allowance"], moment: number): boolean {
  if (concurrency !== undefined) {
    const places = moment < counter.placesUntil ? Math.min(counter.places, concurrency) : 0;
    if (counter.running >= places) return false;
  }
  return rate === undefined || (moment < counter.creditUntil && counter.credit + TOLERANCE_MS >= MINUTE_MS / rate);
}

/** Finds what a node may take of what one counter has left, for the calls of its that wait. */
export function planLease(
  shared: Shared,
  given: {
    readonly counter: Counter;
    readonly allowance: Counted["allowance"];
    readonly moment: number;
    readonly self: string;
  },
): Refusal | { readonly next: Shared; readonly counter: Partial<Counter> } {
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

export function createCounter(): Counter {
  const nothing = { credit: 0, creditUntil: 0, running: 0, places: 0, placesUntil: 0 };
  return { ...nothing, busy: Promise.resolve(), waiting: 0, due: 0 };
}

/** Places of nodes that have not ended. */
export function livePlaces({ places }: Shared, moment: number): Record<string, readonly [number, number]> {
  return Object.fromEntries(Object.entries(places).filter(([, [, until]]) => until > moment));
}

function readShared(value: unknown): Shared {
  if (!isObject(value) || typeof value["until"] !== "number" || !isObject(value["places"]))
    return { until: 0, places: {} };
  return { until: value["until"], places: value["places"] as Shared["places"] };
}

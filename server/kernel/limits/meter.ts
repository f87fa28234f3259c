import type { Allowance } from "../../config/allowance.ts";

export const MINUTE_MS = 60_000;
/** Those who are counted at once; each takes about 200 bytes. */
export const COUNTER_LIMIT = 100_000;
/** Counters that are looked at, for one that counts nothing any more, when a new one is made. */
const SWEEP = 16;
/** Milliseconds that sums of fractions may be off. */
export const TOLERANCE_MS = 0.001;

/** Someone who is counted, and how much it may take. */
export interface Counted {
  readonly key: string;
  readonly allowance: Allowance;
}

export type Taken =
  | { readonly ok: true; release(): void }
  | {
      readonly ok: false;
      /** Index of the exhausted counter in the list. */
      readonly index: number;
      readonly limit: "rate" | "concurrency" | "counters";
      /** Until when it has. */
      readonly retryMs: number;
    };

/** State of one counter. */
export interface Standing {
  /** Calls that the rate still allows at this moment; absent where it has none. */
  readonly left?: number;
  /** Calls that run. */
  readonly running: number;
}

/** Counts calls, in the memory of this process. */
export interface Meter {
  /** Counts one call for all of them, or for none. Until it is released it counts as running. */
  take(all: readonly Counted[]): Taken;
  /** Looks at one counter without counting. */
  look(counted: Counted): Standing;
  readonly size: () => number;
}

/** Calls that a rate still allows, where everything taken is available again in `taken` milliseconds. */
export function toLeft(rate: number, taken: number): number {
  return Math.max(0, Math.floor(((MINUTE_MS - Math.max(0, taken)) * rate) / MINUTE_MS + TOLERANCE_MS));
}

interface Counter {
  /** Time at which everything taken will be available again: the theoretical arrival time. */
  until: number;
  running: number;
}

/**
 * Token buckets in the form of the generic cell rate algorithm (ITU-T I.371, virtual scheduling): a call at rate `n` takes
 * an `n`th of the minute that a bucket holds. As the bucket holds time and not calls, callers share one bucket at whatever
 * rate they are allowed: what was taken by one version's allowance is missing from another's.
 *
 * `elapsed` gives milliseconds that no one sets back, as a clock that is put right would reset or lock everyone.
 *
 * A counter that counts nothing is the same as none, and only such ones make room: filling the table resets nobody.
 */
export function createMeter(elapsed: () => number, counterLimit: number = COUNTER_LIMIT): Meter {
  const counters = new Map<string, Counter>();
  let sweep = counters.entries();

  /** Makes room, a few at a time, so that no call pays for all. */
  function makeRoom(moment: number): boolean {
    for (let step = 0; step < SWEEP; step += 1) {
      const next = sweep.next();
      if (next.done === true) sweep = counters.entries();
      else if (next.value[1].running === 0 && next.value[1].until <= moment) counters.delete(next.value[0]);
    }
    return counters.size < counterLimit;
  }

  return {
    size: () => counters.size,
    look({ key, allowance: { rate } }) {
      const { until = 0, running = 0 } = counters.get(key) ?? {};
      return rate === undefined ? { running } : { running, left: toLeft(rate, until - elapsed()) };
    },
    take(all) {
      const moment = elapsed();
      for (const [index, { key, allowance }] of all.entries()) {
        const counter = counters.get(key);
        if (counter === undefined) continue;
        const { rate, concurrency } = allowance;
        if (concurrency !== undefined && counter.running >= concurrency) {
          return { ok: false, index, limit: "concurrency", retryMs: 0 };
        }
        if (rate === undefined) continue;
        const excess = Math.max(counter.until, moment) + MINUTE_MS / rate - moment - MINUTE_MS;
        if (excess > TOLERANCE_MS) return { ok: false, index, limit: "rate", retryMs: excess };
      }
      const taken: Counter[] = [];
      for (const [index, { key }] of all.entries()) {
        let counter = counters.get(key);
        if (counter === undefined) {
          if (!makeRoom(moment)) {
            for (const other of taken) other.running -= 1;
            return { ok: false, index, limit: "counters", retryMs: MINUTE_MS };
          }
          counter = { until: moment, running: 0 };
          counters.set(key, counter);
        }
        counter.running += 1;
        taken.push(counter);
      }
      for (const [index, counter] of taken.entries()) {
        const rate = all[index]?.allowance.rate;
        if (rate !== undefined) counter.until = Math.max(counter.until, moment) + MINUTE_MS / rate;
      }
      return {
        ok: true,
        release() {
          for (const counter of taken.splice(0)) counter.running -= 1;
        },
      };
    },
  };
}

import { setImmediate } from "node:timers/promises";
import type { Sleep } from "../../server/worker/sleep.ts";

export interface FakeTime {
  readonly clock: () => number;
  readonly sleep: Sleep;
  /** Lets time pass, and everything happen that happens meanwhile. */
  advance(ms: number): Promise<void>;
  /** Milliseconds of every sleep so far. */
  readonly slept: readonly number[];
}

/** Time that passes when a test says so. */
export function createFakeTime(): FakeTime {
  let now = 0;
  const slept: number[] = [];
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    clock: () => now,
    slept,
    sleep: (ms, signal) => {
      slept.push(ms);
      return new Promise((resolve) => {
        const sleeper = {
          until: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        if (signal?.aborted === true) sleeper.wake();
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...sleepers].toSorted((a, b) => a.until - b.until);
        if (next === undefined || next.until > end) break;
        now = Math.max(now, next.until);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

/** Bodies of answers take more than one turn to read. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

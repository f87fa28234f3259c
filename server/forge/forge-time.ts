import { setTimeout as sleep } from "node:timers/promises";

/** Clock, waiting and randomness of what asks GitHub. */
export interface ForgeTime {
  /** Milliseconds, as `Date.now`. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** From 0 up to but not 1. */
  random(): number;
}

/** Creates the machine's own time. Waiting for GitHub does not keep the process. */
export function createForgeTime(now: () => number): ForgeTime {
  return { now, sleep: (ms) => sleep(ms, undefined, { ref: false }), random: Math.random };
}

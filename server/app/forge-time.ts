import { setTimeout as sleep } from "node:timers/promises";
import type { ForgeTime } from "../forge/github/forge-time.ts";

/** The machine's own time. What waits for GitHub does not keep the process. */
export function createForgeTime(now: () => number): ForgeTime {
  return { now, sleep: (ms) => sleep(ms, undefined, { ref: false }), random: Math.random };
}

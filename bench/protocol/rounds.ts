import { setTimeout as sleep } from "node:timers/promises";
import type { Plan } from "./load/plan.ts";
import type { Load } from "./load/run-load.ts";
import { measureWindow } from "./window.ts";

/** Whom to load, and with what. */
export interface Target {
  readonly name: string;
  readonly pid: number;
  readonly plan: Plan;
  /** Requests that make up one call: the pages of a list. */
  readonly pages?: number;
}

/** What one contender did in one round with so many connections. */
export interface Window {
  readonly round: number;
  readonly name: string;
  readonly connections: number;
  /** Calls in a second. */
  readonly rate: number;
  /** Milliseconds of a request. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU a call took, in all processes of the server. */
  readonly cpu: number;
  /** Wrong answers, and requests without one. */
  readonly errors: number;
  /** Which part of a core's time went to others, of the core of the server or of the load: the greater. */
  readonly disturbance: number;
}

export interface RoundOptions {
  readonly load: Load;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly say: (line: string) => void;
}

/**
 * Calls before anything is measured at all, so that everybody's code is compiled as well as it gets, and the seconds after
 * which enough is enough. Seconds alone would leave those behind who are slow to begin with.
 */
const WARM_UP = { calls: 30_000, seconds: 20, step: 2 };
/** Seconds before each turn, for caches. */
const TURN_WARM_UP = 1;
const WARM_UP_CONNECTIONS = 16;
/** A window in which others had more of a core than this is measured again, so often at most; the least disturbed counts. */
export const DISTURBED = 0.1;
const TRIES = 4;
const PAUSE = 1_000;

/**
 * Measures in rounds: in each, every target has its turn, one after the other, and each round begins with another one. What
 * disturbs the machine for a while then disturbs neighbours alike, and comparing them within a round cancels it out.
 */
export async function measureRounds(targets: readonly Target[], options: RoundOptions): Promise<Window[]> {
  const { load, rounds, connections, say } = options;
  for (const { name, plan } of targets) {
    say(`warming up ${name}`);
    let calls = 0;
    for (let seconds = 0; seconds < WARM_UP.seconds && calls < WARM_UP.calls; seconds += WARM_UP.step) {
      calls += (await load.run(plan, { connections: WARM_UP_CONNECTIONS, seconds: WARM_UP.step })).calls;
    }
  }
  const windows: Window[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % Math.max(1, targets.length);
    for (const target of [...targets.slice(first), ...targets.slice(0, first)]) {
      await load.run(target.plan, { connections: WARM_UP_CONNECTIONS, seconds: TURN_WARM_UP });
      for (const count of connections) {
        const window = await measureQuietly(target, { ...options, round, connections: count });
        windows.push(window);
        say(describe(window, rounds));
      }
    }
  }
  return windows;
}

/** How many windows others disturbed, in words. */
export function describeDisturbance(windows: readonly Window[]): string {
  const disturbed = windows.filter(({ disturbance }) => disturbance > DISTURBED).length;
  return `In ${disturbed} of ${windows.length} windows others had more than ${DISTURBED * 100} % of a core.`;
}

async function measureQuietly(
  target: Target,
  options: { load: Load; round: number; connections: number; seconds: number },
): Promise<Window> {
  let best = await measureWindow(target, options);
  for (let tries = 1; tries < TRIES && best.disturbance > DISTURBED; tries += 1) {
    await sleep(PAUSE);
    const again = await measureWindow(target, options);
    if (again.disturbance < best.disturbance) best = again;
  }
  return best;
}

function describe(window: Window, rounds: number): string {
  const { round, name, connections, rate, p50, p99, cpu, errors, disturbance } = window;
  const figures = `${rate.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${cpu.toFixed(0)} us of CPU`;
  const trouble = `${errors === 0 ? "" : `, ${errors} ERRORS`}${disturbance > DISTURBED ? ", disturbed" : ""}`;
  return `round ${round + 1}/${rounds}  ${name} x${connections}: ${figures}${trouble}`;
}

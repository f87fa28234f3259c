import { cancelled, unavailable } from "./failures.ts";
import { createPool } from "./pool.ts";
import { createRun, type Run } from "./run.ts";
import type { Offender, Sandbox } from "./sandbox.ts";
import { createSlots } from "./slots.ts";
import type { Program } from "../../versions/version.ts";

export interface SandboxOptions {
  /** A command, with its arguments, that starts the processes: one that takes more of the machine from them. */
  readonly launcher?: readonly string[];
  /** Programs that may be loaded at once; the one used longest ago makes room for another. */
  readonly isolates?: number;
  /** Megabytes of resident memory at which a process is replaced: isolates in it together, and what V8 does not count. */
  readonly memory?: number;
  /** True when a second process waits from the first loss of one on, so that the next can be replaced at once. */
  readonly spare?: boolean;
  /** Milliseconds since 1970 for handlers of a program. A handler sees the time at which it was last entered. */
  readonly now?: (program: Program) => number;
  /** Milliseconds by a clock that nobody can set, which tells how long somebody has behaved. */
  readonly elapsed?: () => number;
  /** Told, for the log, when a process ended that was not asked to. */
  readonly onIncident?: (incident: string) => void;
  /** Told, for the log, of each strike. */
  readonly onOffender?: (offender: Offender) => void;
}

/** Starts a sandbox. Rejects with UNAVAILABLE when its process does not come up. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { launcher = [], isolates = 128, memory = 1_024 } = options;
  const { spare = true, now = Date.now, onIncident = () => undefined } = options;
  const { elapsed = () => performance.now(), onOffender = () => undefined } = options;
  const pool = createPool({ launcher, isolates, memory, spare, now, elapsed, onIncident, onOffender });
  const running = createSlots<Run>();
  const bootFailure = await pool.bootFailure;
  if (bootFailure !== undefined) {
    await pool.close();
    throw unavailable("The sandbox's process does not start.", bootFailure);
  }

  return {
    run(call) {
      const id = running.nextId();
      if (id === undefined) return Promise.reject(unavailable("Too many calls run at once."));
      const run = createRun(call, id, running.remove);
      running.add(run);
      if (call.signal?.aborted === true) run.reject(cancelled(call));
      else pool.place(run);
      return run.result;
    },
    warm: (program) => pool.load(program),
    stats: () => ({ ...pool.stats(), running: running.size }),
    async close() {
      for (const run of running.all()) run.reject(unavailable("The service ended before this call did; try again."));
      await pool.close();
    },
  };
}

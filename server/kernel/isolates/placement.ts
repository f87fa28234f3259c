import { availableParallelism } from "node:os";
import { CairnError } from "../../errors.ts";
import type { Program } from "../../versions/version.ts";
import type { Confinement } from "./confinement.ts";
import type { Directory } from "./directory.ts";
import { unavailable } from "./failures.ts";
import type { Fleet } from "./fleet.ts";
import type { Isolate } from "./isolate.ts";
import type { Offenders } from "./offenders.ts";
import type { Quarantine } from "./quarantine.ts";
import type { Run } from "./run.ts";

/** Milliseconds of waiting for an isolate after which calls get another one of the same program. */
const BUSY = 100;
/** Isolates of one program in the process that serves: more than there are processors would only take turns. */
const MAX_PER_PROGRAM = Math.min(4, Math.max(2, availableParallelism()));
/** Share of all isolates that one tenant may have: its waiting calls must not keep all others from having any. */
const SHARE = 0.75;

/** The parts of a pool, and what they share. */
export interface PoolState {
  /** The most isolates in the process that serves. */
  readonly isolates: number;
  readonly fleet: Fleet;
  readonly directory: Directory;
  readonly quarantine: Quarantine;
  readonly confinement: Confinement;
  readonly offenders: Offenders;
  /** Direct entries that were stopped, by their programs. */
  readonly overran: WeakMap<Program, number>;
  /** Isolates and processes that had to be replaced since the start. */
  replaced: number;
  closed: boolean;
}

/** Puts a run into an isolate, an offender's into confinement. A run for which there is no place is rejected. */
export function place(pool: PoolState, run: Run): void {
  const { program, isNested = false } = run.call;
  try {
    if (pool.offenders.isConfined(program)) {
      pool.confinement.add({ program, isNested, isOver: run.isOver, enter: (isolate) => isolate.admit(run) });
    } else {
      choose(pool, program).admit(run);
    }
  } catch (cause) {
    run.reject(cause instanceof CairnError ? cause : unavailable("The call could not be started.", cause));
  }
}

/** Chooses the isolate for a call of a program, and opens one where that is better. @throws UNAVAILABLE. */
export function choose(pool: PoolState, program: Program): Isolate {
  const { directory, isolates, closed } = pool;
  if (closed) throw unavailable("The sandbox is closed.");
  const isolate = findFree(pool, program) ?? toLeastUsed(directory.find(program));
  if (isolate === undefined) throw unavailable(`All ${isolates} isolates are in use.`);
  directory.touch(isolate);
  return isolate;
}

/** Moves calls that wait too long for their isolate to another one, where there is one. */
export function moveWaiting(pool: PoolState): void {
  for (const isolate of pool.directory.all()) {
    const mayMove = isolate.busyFor() >= BUSY && isolate.hasWaiting() && findFree(pool, isolate.program) !== undefined;
    if (mayMove) for (const run of isolate.withdraw()) place(pool, run);
  }
}

/** An isolate in which a call need not wait for long: one that is not busy, or a new one. */
function findFree({ fleet, directory, isolates: most }: PoolState, program: Program): Isolate | undefined {
  const serving = fleet.serving();
  const isolates = directory.find(program);
  const free = toLeastUsed(isolates.filter((isolate) => isolate.busyFor() < BUSY));
  if (free !== undefined || isolates.length >= MAX_PER_PROGRAM) return free;
  const { tenant } = program;
  const hasShare = tenant !== undefined && directory.count(tenant) >= most * SHARE;
  if (hasShare || serving.isolates.size >= most) {
    const idle = directory.findIdle(hasShare ? tenant : undefined);
    if (idle === undefined) return undefined;
    directory.remove(idle);
    serving.close(idle);
  }
  const opened = serving.open(program);
  directory.touch(opened);
  return opened;
}

function toLeastUsed(isolates: readonly Isolate[]): Isolate | undefined {
  return isolates.toSorted((one, other) => one.attempts.size - other.attempts.size)[0];
}

import type { Program } from "../../versions/version.ts";
import { createConfinement } from "./confinement.ts";
import { createDirectory } from "./directory.ts";
import { unavailable } from "./failures.ts";
import { createFleet } from "./fleet.ts";
import type { Isolate } from "./isolate.ts";
import { type LossState, MAX_LOSSES, onLoss, onStopped } from "./losses.ts";
import { createOffenders } from "./offenders.ts";
import { choose, moveWaiting, place, type PoolState } from "./placement.ts";
import { createQuarantine } from "./quarantine.ts";
import type { Run } from "./run.ts";
import type { Offender, SandboxStats } from "./sandbox.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Milliseconds between two looks at what is running. */
const WATCH = 50;
/** Direct entries that may be stopped before a program has no more of them: once or twice it may be the machine that is slow. */
const MAX_OVERRUNS = 3;

export interface PoolOptions {
  readonly launcher: readonly string[];
  readonly isolates: number;
  readonly memory: number;
  readonly spare: boolean;
  readonly now: (program: Program) => number;
  /** Milliseconds by a clock that nobody can set. */
  readonly elapsed: () => number;
  readonly onIncident: (incident: string) => void;
  readonly onOffender: (offender: Offender) => void;
}

/** Puts runs into isolates, and again into others when those are lost. */
export interface Pool {
  /** Resolves once the first process is up, or with how it ended before it was. */
  readonly bootFailure: Promise<string | undefined>;
  place(run: Run): void;
  load(program: Program): Promise<void>;
  stats(): Omit<SandboxStats, "running">;
  close(): Promise<void>;
}

export function createPool(options: PoolOptions): Pool {
  const { isolates, onIncident, onOffender } = options;
  const fleet = createFleet({
    ...options,
    mayEnterDirectly: (program) => mayEnterDirectly(pool, program),
    onStopped: (process, isolate, stopped, wasDirect) => onStopped(pool, process, isolate, stopped, wasDirect),
    onVacant: (process, isolate) => onVacant(pool, process, isolate),
    onLoss: (process, loss, end) => onLoss(pool, process, loss, end),
  });
  const pool: LossState = {
    isolates,
    fleet,
    directory: createDirectory(),
    quarantine: createQuarantine({ take: fleet.take, dismiss: fleet.giveBack }),
    confinement: createConfinement({ start: fleet.startApart, dismiss: fleet.end }),
    offenders: createOffenders(options.elapsed),
    onIncident,
    onOffender,
    overran: new WeakMap(),
    replaced: 0,
    closed: false,
  };
  const watch = setInterval(look, WATCH, pool).unref();

  return {
    bootFailure: fleet.bootFailure,
    place: (run) => place(pool, run),
    load: (program) => load(pool, program),
    stats: () => toStats(pool),
    close() {
      pool.closed = true;
      clearInterval(watch);
      return fleet.close();
    },
  };
}

/** Says whether calls of a program may have the host's own thread: not an offender's, and none that overran it before. */
function mayEnterDirectly({ offenders, overran }: PoolState, program: Program): boolean {
  return (overran.get(program) ?? 0) < MAX_OVERRUNS && !offenders.isConfined(program);
}

function look(pool: PoolState): void {
  for (const process of pool.fleet.all()) process.age(WATCH);
  pool.confinement.age(WATCH);
  moveWaiting(pool);
}

async function load(pool: PoolState, program: Program): Promise<void> {
  for (let tries = 0; tries < MAX_LOSSES; tries += 1) {
    const isConfined = pool.offenders.isConfined(program);
    const outcome = await (isConfined ? loadApart(pool, program) : choose(pool, program).loaded);
    if (outcome === "open") return;
    if (outcome !== "lost") throw outcome;
  }
  throw unavailable("The program could not be loaded, for reasons outside of it.");
}

async function loadApart(pool: PoolState, program: Program): Promise<Awaited<Isolate["loaded"]>> {
  const { promise, resolve } = Promise.withResolvers<Awaited<Isolate["loaded"]>>();
  const enter = ({ loaded }: Isolate) => resolve(loaded);
  pool.confinement.add({ program, isNested: false, isOver: () => pool.closed, enter });
  return promise;
}

/** Closes an isolate that nobody needs: one that takes no new calls, or could not be loaded. */
function onVacant(pool: PoolState, process: SandboxProcess, isolate: Isolate): void {
  const { directory, confinement, quarantine } = pool;
  if (confinement.has(process)) return confinement.leave(process, isolate);
  if (directory.has(isolate) && !isolate.isLoading()) return;
  directory.remove(isolate);
  process.close(isolate);
  quarantine.serve();
}

function toStats({ fleet, offenders, confinement, replaced }: PoolState): ReturnType<Pool["stats"]> {
  const isolates = [...fleet.all()].reduce((sum, process) => sum + process.isolates.size, 0);
  const confined = { offenders: offenders.list(), strikes: offenders.strikes, waiting: confinement.waiting() };
  return { processes: fleet.size, isolates, replaced, ...confined };
}

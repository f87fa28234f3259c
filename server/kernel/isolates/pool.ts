import { availableParallelism } from "node:os";
import { CairnError } from "../../errors.ts";
import type { Program } from "../../versions/version.ts";
import type { Attempt } from "./attempt.ts";
import { createConfinement } from "./confinement.ts";
import { createDirectory } from "./directory.ts";
import { toCulpritError, toLoadLossError, unavailable } from "./failures.ts";
import { createFleet } from "./fleet.ts";
import type { Isolate } from "./isolate.ts";
import { createOffenders, ownerOf } from "./offenders.ts";
import { createQuarantine, type Need } from "./quarantine.ts";
import type { Run } from "./run.ts";
import type { LossReason, Offender, SandboxStats } from "./sandbox.ts";
import type { ProcessEnd, SandboxProcess } from "./sandbox-process.ts";
import { findOffender, type FoundOffender, judge, type Loss, narrow } from "./suspects.ts";

/** Milliseconds between two looks at what is running. */
const WATCH = 50;
/** Milliseconds of waiting for an isolate after which calls get another one of the same program. */
const BUSY = 100;
/** Isolates of one program in the process that serves: more than there are processors would only take turns. */
const MAX_PER_PROGRAM = Math.min(4, Math.max(2, availableParallelism()));
/** What one tenant may have of all isolates: it must not keep all others from having any, for as long as its calls wait. */
const SHARE = 0.75;
/** How often a call that is not at fault is tried again. */
const MAX_LOSSES = 3;

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
  const directory = createDirectory();
  const fleet = createFleet({ ...options, onStopped, onVacant, onLoss });
  const quarantine = createQuarantine({ take: fleet.take, dismiss: fleet.giveBack });
  const confinement = createConfinement({ start: fleet.startApart, dismiss: fleet.end });
  const offenders = createOffenders(options.elapsed);
  let replaced = 0;
  let closed = false;
  const watch = setInterval(look, WATCH).unref();

  return {
    bootFailure: fleet.bootFailure,
    place,
    async load(program) {
      for (let tries = 0; tries < MAX_LOSSES; tries += 1) {
        const outcome = await (offenders.isConfined(program) ? loadApart(program) : choose(program).loaded);
        if (outcome === "open") return;
        if (outcome !== "lost") throw outcome;
      }
      throw unavailable("The program could not be loaded, for reasons outside of it.");
    },
    stats() {
      const isolates = [...fleet.all()].reduce((sum, process) => sum + process.isolates.size, 0);
      const { strikes } = offenders;
      const confined = { offenders: offenders.list(), strikes, waiting: confinement.waiting() };
      return { processes: fleet.size, isolates, replaced, ...confined };
    },
    close() {
      closed = true;
      clearInterval(watch);
      return fleet.close();
    },
  };

  function place(run: Run): void {
    const { program, isNested = false } = run.call;
    try {
      if (offenders.isConfined(program)) {
        confinement.add({ program, isNested, isOver: run.isOver, enter: (isolate) => isolate.admit(run) });
      } else {
        choose(program).admit(run);
      }
    } catch (cause) {
      run.reject(cause instanceof CairnError ? cause : unavailable("The call could not be started.", cause));
    }
  }

  async function loadApart(program: Program): Promise<Awaited<Isolate["loaded"]>> {
    const { promise, resolve } = Promise.withResolvers<Awaited<Isolate["loaded"]>>();
    const enter = ({ loaded }: Isolate) => resolve(loaded);
    confinement.add({ program, isNested: false, isOver: () => closed, enter });
    return promise;
  }

  function choose(program: Program): Isolate {
    if (closed) throw unavailable("The sandbox is closed.");
    const isolate = findFree(program) ?? toLeastUsed(directory.find(program));
    if (isolate === undefined) throw unavailable(`All ${options.isolates} isolates are in use.`);
    directory.touch(isolate);
    return isolate;
  }

  /** An isolate in which a call need not wait for long: one that is not busy, or a new one. */
  function findFree(program: Program): Isolate | undefined {
    const serving = fleet.serving();
    const isolates = directory.find(program);
    const free = toLeastUsed(isolates.filter((isolate) => isolate.busyFor() < BUSY));
    if (free !== undefined || isolates.length >= MAX_PER_PROGRAM) return free;
    const { tenant } = program;
    const hasShare = tenant !== undefined && directory.count(tenant) >= options.isolates * SHARE;
    if (hasShare || serving.isolates.size >= options.isolates) {
      const idle = directory.findIdle(hasShare ? tenant : undefined);
      if (idle === undefined) return undefined;
      directory.remove(idle);
      serving.close(idle);
    }
    const opened = serving.open(program);
    directory.touch(opened);
    return opened;
  }

  function look(): void {
    for (const process of fleet.all()) process.age(WATCH);
    confinement.age(WATCH);
    for (const isolate of directory.all()) {
      const mayMove = isolate.busyFor() >= BUSY && isolate.hasWaiting() && findFree(isolate.program) !== undefined;
      if (mayMove) for (const run of isolate.withdraw()) place(run);
    }
  }

  /** It was over its limit by the clock, so its modules may be in any state: it takes no new calls. */
  function onStopped(process: SandboxProcess, isolate: Isolate, stopped: readonly Attempt[]): void {
    if (directory.remove(isolate)) replaced += 1;
    for (const attempt of stopped) {
      isolate.release(attempt);
      if (stopped.length === 1) attempt.run.reject(toCulpritError(attempt.run.call, "clock"));
      else again(attempt, "isolate");
    }
    if (confinement.has(process)) confinement.lose(process, false);
  }

  function onVacant(process: SandboxProcess, isolate: Isolate): void {
    if (confinement.has(process)) return confinement.leave(process, isolate);
    if (directory.has(isolate) && !isolate.isLoading()) return;
    directory.remove(isolate);
    process.close(isolate);
    quarantine.serve();
  }

  function onLoss(process: SandboxProcess, whole: Loss, end?: ProcessEnd): void {
    for (const isolate of whole.isolates) {
      directory.remove(isolate);
      offenders.note(isolate.program, isolate.completed());
    }
    const loss = narrow(whole, ({ program }) => offenders.isTrusted(program));
    const isApart = confinement.has(process);
    const isAlone = isApart
      ? loss.isolates.every(({ attempts }) => attempts.size <= 1)
      : quarantine.isSolitary(process);
    const verdicts = judge(loss, isAlone);
    if (end !== undefined) {
      if (!fleet.forget(process, end.wasReady && !closed)) return;
      quarantine.forget(process);
    }
    if (closed) return;
    replaced += end === undefined ? loss.isolates.length : 1;
    if (end !== undefined) options.onIncident(`A sandbox process ended: ${end.words}`);
    const offender = findOffender(loss, verdicts);
    if (offender !== undefined) strike(offender, loss.reason);
    if (isApart) confinement.lose(process, end !== undefined);

    const bystanders: Attempt[] = [];
    for (const isolate of loss.isolates) {
      const attempts = isolate.attempts.all();
      const failure = toLoadFailure(isolate, loss);
      isolate.lose(failure);
      for (const attempt of attempts) {
        const { run } = attempt;
        const verdict = verdicts.get(attempt);
        if (failure !== undefined) run.reject(failure);
        else if (verdict === "culprit") run.reject(toCulpritError(run.call, loss.reason));
        else if (verdict === "bystander") bystanders.push(attempt);
        else again(attempt, end === undefined ? "isolate" : "process", end?.words);
      }
    }
    // After the suspects, which may have to wait for them where they run one at a time.
    for (const attempt of bystanders) again(attempt, undefined, end?.words);
    quarantine.serve();
  }

  /** What has not begun of the program's calls goes where they all go from now on. */
  function strike({ program, tool }: FoundOffender, reason: LossReason): void {
    options.onOffender(offenders.strike(program, tool, reason));
    for (const isolate of directory.all()) {
      if (ownerOf(isolate.program) !== ownerOf(program)) continue;
      directory.remove(isolate);
      for (const run of isolate.withdraw()) place(run);
    }
  }

  /** Runs a lost call again, where it can do no harm to others if need be, unless something of it cannot be undone. */
  function again({ run, started }: Attempt, needs?: Need, cause?: string): void {
    if (run.isOver()) return;
    run.losses += 1;
    const { tool, program } = run.call;
    if (run.losses > MAX_LOSSES || (started && run.call.isFinal())) {
      run.reject(
        unavailable(`\`${tool.name}\` was interrupted through no fault of its own and cannot run again.`, cause),
      );
      return;
    }
    if (started) run.call.restart();
    const isSuspect = needs !== undefined || (run.losses > 1 && !offenders.isTrusted(program));
    if (isSuspect && !offenders.isConfined(program)) {
      quarantine.add(run, run.losses > 1 ? "process" : (needs ?? "isolate"));
    } else {
      place(run);
    }
  }
}

function toLeastUsed(isolates: readonly Isolate[]): Isolate | undefined {
  return isolates.toSorted((one, other) => one.attempts.size - other.attempts.size)[0];
}

function toLoadFailure(isolate: Isolate, { certain, guilty, reason }: Loss): CairnError | undefined {
  const isCause = certain && guilty.size === 1 && guilty.has(isolate) && isolate.isLoading();
  return isCause ? toLoadLossError(reason) : undefined;
}

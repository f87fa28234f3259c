import { CairnError } from "../errors.ts";
import type { Program } from "../versions/version.ts";
import { createDirectory } from "./directory.ts";
import { toCulpritError, toLoadLossError, unavailable } from "./failures.ts";
import type { Attempt } from "./attempt.ts";
import type { Isolate } from "./isolate.ts";
import { createQuarantine, type Need } from "./quarantine.ts";
import type { Run } from "./run.ts";
import type { SandboxStats } from "./sandbox.ts";
import { createSandboxProcess, type ProcessEnd, type SandboxProcess } from "./sandbox-process.ts";
import { judge, type Loss } from "./suspects.ts";

/** Milliseconds between two looks at what is running. */
const WATCH = 50;
/** Milliseconds of waiting for an isolate after which calls get another one of the same program. */
const BUSY = 100;
/** Isolates of one program in the process that serves. */
const MAX_PER_PROGRAM = 4;
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
  readonly onIncident: (incident: string) => void;
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
  const processes = new Set<SandboxProcess>();
  const quarantine = createQuarantine({ take, dismiss });
  let spare: SandboxProcess | undefined;
  let serving: SandboxProcess | undefined;
  let replaced = 0;
  let closed = false;

  serving = take();
  const watch = setInterval(look, WATCH).unref();

  return {
    bootFailure: serving.bootFailure,
    place,
    async load(program) {
      for (let tries = 0; tries < MAX_LOSSES; tries += 1) {
        const outcome = await choose(program).loaded;
        if (outcome === "open") return;
        if (outcome !== "lost") throw outcome;
      }
      throw unavailable("The program could not be loaded, for reasons outside of it.");
    },
    stats() {
      const isolates = [...processes].reduce((sum, process) => sum + process.isolates.size, 0);
      return { processes: processes.size, isolates, replaced };
    },
    async close() {
      closed = true;
      clearInterval(watch);
      for (const process of processes) process.kill();
      await Promise.all([...processes].map(({ ended }) => ended));
    },
  };

  function start(): SandboxProcess {
    const { launcher, memory, now } = options;
    const process = createSandboxProcess({ launcher, memory, now, onStopped, onVacant, onLoss });
    processes.add(process);
    return process;
  }

  /** A process that nobody uses; another one is made ready for the next time. */
  function take(): SandboxProcess {
    const taken = spare ?? start();
    spare = undefined;
    void prepareSpare(taken);
    return taken;
  }

  async function prepareSpare(taken: SandboxProcess): Promise<void> {
    if ((await taken.bootFailure) === undefined && options.spare && !closed) spare ??= start();
  }

  function place(run: Run): void {
    try {
      choose(run.call.program).admit(run);
    } catch (cause) {
      run.reject(cause instanceof CairnError ? cause : unavailable("The call could not be started.", cause));
    }
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
    serving ??= take();
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
    for (const process of processes) process.age(WATCH);
    for (const isolate of directory.all()) {
      const mayMove = isolate.busyFor() >= BUSY && isolate.hasWaiting() && findFree(isolate.program) !== undefined;
      if (mayMove) for (const run of isolate.withdraw()) place(run);
    }
  }

  /** One call in it ran for too long, so its modules may be in any state: it takes no new calls. */
  function onStopped(isolate: Isolate, stopped: readonly Attempt[]): void {
    if (directory.remove(isolate)) replaced += 1;
    for (const attempt of stopped) {
      isolate.release(attempt);
      if (stopped.length === 1) attempt.run.reject(toCulpritError(attempt.run.call, "cpu"));
      else again(attempt, "isolate");
    }
  }

  function onVacant(process: SandboxProcess, isolate: Isolate): void {
    if (directory.has(isolate) && !isolate.isLoading()) return;
    directory.remove(isolate);
    process.close(isolate);
    quarantine.serve();
  }

  function onLoss(process: SandboxProcess, loss: Loss, end?: ProcessEnd): void {
    const verdicts = judge(loss, quarantine.isSolitary(process));
    for (const isolate of loss.isolates) directory.remove(isolate);
    if (end !== undefined) {
      if (!processes.delete(process)) return;
      quarantine.forget(process);
      if (serving === process) serving = undefined;
      if (spare === process) spare = undefined;
    }
    if (closed) return;
    replaced += end === undefined ? loss.isolates.length : 1;
    if (end !== undefined) options.onIncident(`A sandbox process ended: ${end.words}`);
    // Started before anything asks for it, so that it is there the sooner; but one that cannot start is not tried again.
    if (end?.wasReady === true) void prepareSpare((serving ??= take()));

    for (const isolate of loss.isolates) {
      const attempts = isolate.attempts.all();
      const failure = toLoadFailure(isolate, loss);
      isolate.lose(failure);
      for (const attempt of attempts) {
        const { run } = attempt;
        const verdict = verdicts.get(attempt);
        if (failure !== undefined) run.reject(failure);
        else if (verdict === "culprit") run.reject(toCulpritError(run.call, loss.reason));
        else if (verdict === "bystander") again(attempt, undefined, end?.words);
        else again(attempt, end === undefined ? "isolate" : "process", end?.words);
      }
    }
    quarantine.serve();
  }

  /** Runs a lost call again, where it can do no harm to others if need be, unless something of it cannot be undone. */
  function again({ run, started }: Attempt, needs?: Need, cause?: string): void {
    if (run.isOver()) return;
    run.losses += 1;
    const { tool } = run.call;
    if (run.losses > MAX_LOSSES || (started && !mayRestart(run))) {
      run.reject(
        unavailable(`\`${tool.name}\` was interrupted through no fault of its own and cannot run again.`, cause),
      );
    } else if (needs !== undefined || run.losses > 1) {
      quarantine.add(run, run.losses > 1 ? "process" : (needs ?? "isolate"));
    } else {
      place(run);
    }
  }

  function dismiss(process: SandboxProcess): void {
    if (spare === undefined && options.spare) {
      spare = process;
    } else {
      processes.delete(process);
      process.kill();
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

function mayRestart({ call }: Run): boolean {
  try {
    return call.restart();
  } catch {
    // Whoever cannot even say so cannot be restarted.
    return false;
  }
}

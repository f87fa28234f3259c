import { CairnError } from "../errors.ts";
import { attend } from "./attend.ts";
import { type Execute, executeSteps } from "./execute.ts";
import { isRefusal } from "./keep-lease.ts";
import { type Sleep, sleep as realSleep } from "./sleep.ts";
import type { WorkClient } from "./work-client.ts";
import type { WorkerEvent } from "./worker-event.ts";
import { defined } from "../json/defined.ts";

export interface WorkerOptions {
  readonly client: WorkClient;
  /** Names it in leases and journals; no other worker has the same. */
  readonly workerId: string;
  /** Milliseconds between two claims where there is nothing to do, more or less; 5000 unless given. */
  readonly pollInterval?: number;
  /** Milliseconds between two heartbeats; a third of the lease unless given. */
  readonly heartbeatInterval?: number;
  /** Tasks at a time; 1 unless given. */
  readonly concurrency?: number;
  /** Its abilities, for tasks that require some. */
  readonly capabilities?: readonly string[];
  /** Takes only tasks of these workflows. */
  readonly workflows?: readonly string[];
  /** Does a task. Unless given, the service is asked to do the workflow's steps, and tasks without steps are left to others. */
  readonly execute?: Execute;
  /** Milliseconds that `stop` waits for tasks that are under way; 30,000 unless given. */
  readonly stopGrace?: number;
  readonly onEvent?: (event: WorkerEvent) => void;
  /** Milliseconds that nobody can set. */
  readonly clock?: () => number;
  readonly sleep?: Sleep;
  /** A number in [0, 1). */
  readonly random?: () => number;
}

export interface Worker {
  /**
   * Claims tasks and does them until stopped. Rejects when the service refuses its claims for good (no such version, no
   * permission, a token that ran out), once what was under way has ended; a service that cannot be reached is waited for.
   */
  start(): Promise<void>;
  /** Claims nothing more. What is under way may end within the grace period, and is given back after that. */
  stop(): Promise<void>;
}

const POLL_MS = 5000;
const STOP_GRACE_MS = 30_000;

interface State extends Required<
  Pick<
    WorkerOptions,
    "client" | "workerId" | "pollInterval" | "concurrency" | "stopGrace" | "onEvent" | "clock" | "sleep" | "random"
  >
> {
  /** The request of each claim. */
  readonly request: Parameters<WorkClient["taskClaim"]>[0];
  readonly execute: Execute;
  readonly heartbeatInterval: number | undefined;
  readonly stopping: AbortController;
  /** Ends what is under way. */
  readonly giveUp: AbortController;
  readonly running: Set<Promise<void>>;
  /** Goes on with claiming. */
  wake: () => void;
  /** Says whether the next claim waits, because it may well give a task that was given back just now. */
  isPaused: boolean;
}

export function createWorker(options: WorkerOptions): Worker {
  const { client, workerId, execute, capabilities, workflows, heartbeatInterval } = options;
  const state: State = {
    client,
    workerId,
    pollInterval: options.pollInterval ?? POLL_MS,
    concurrency: options.concurrency ?? 1,
    stopGrace: options.stopGrace ?? STOP_GRACE_MS,
    onEvent: options.onEvent ?? (() => undefined),
    clock: options.clock ?? (() => performance.now()),
    sleep: options.sleep ?? realSleep,
    random: options.random ?? Math.random,
    execute: execute ?? executeSteps,
    heartbeatInterval,
    request: {
      worker_id: workerId,
      ...defined({ capabilities, workflows }),
      ...(execute === undefined ? { with_steps: true } : {}),
    },
    stopping: new AbortController(),
    giveUp: new AbortController(),
    running: new Set(),
    wake: () => {},
    isPaused: false,
  };
  let started: Promise<void> | undefined;
  return Object.freeze<Worker>({
    start: () => (started ??= run(state)),
    async stop() {
      state.stopping.abort();
      state.wake();
      await started?.catch(() => undefined);
    },
  });
}

async function run(state: State): Promise<void> {
  try {
    while (!state.stopping.signal.aborted) {
      if (state.running.size >= state.concurrency) await untilWoken(state);
      else if (state.isPaused) {
        state.isPaused = false;
        await pause(state);
      } else if (!(await claim(state))) await pause(state);
    }
  } finally {
    await finishRunning(state);
  }
}

/** Claims a task and begins it; false when there is nothing to do for a while. */
async function claim(state: State): Promise<boolean> {
  // The lease runs from some moment after this one.
  const claimedAt = state.clock();
  try {
    // Not given up when the worker stops: a task that was leased to it by then has to be given back.
    const claimed = await state.client.taskClaim(state.request);
    if (claimed.task === null) {
      state.onEvent({ kind: "idle", message: "There is nothing to do." });
      return false;
    }
    const { task_id, run_id } = claimed;
    if (state.stopping.signal.aborted) {
      await state.client.taskRelease({ run_id, worker_id: state.workerId, reason: "The worker stops." });
      state.onEvent({ kind: "released", task_id, run_id, message: "The worker stops." });
      return false;
    }
    const task = attend(claimed, claimedAt, { ...state, giveUp: state.giveUp.signal }).then((end) => {
      state.running.delete(task);
      // The next claim may well give the same task.
      state.isPaused ||= end === "released" || end === "lost";
      state.wake();
    });
    state.running.add(task);
    return true;
  } catch (error) {
    if (isRefusal(error) && error.name !== "CONFLICT") throw error;
    state.onEvent({ kind: "trouble", message: error instanceof CairnError ? error.message : String(error) });
    return false;
  }
}

async function finishRunning(state: State): Promise<void> {
  const done = new AbortController();
  void state.sleep(state.stopGrace, done.signal).then(() => {
    if (!done.signal.aborted) state.giveUp.abort();
  });
  await Promise.all(state.running);
  done.abort();
}

function pause(state: State): Promise<void> {
  return state.sleep(state.pollInterval * (0.5 + state.random()), state.stopping.signal);
}

/** Resolves when a task ends, or by `stop`. */
async function untilWoken(state: State): Promise<void> {
  await new Promise<void>((resolve) => (state.wake = resolve));
}

import { CairnError } from "../errors.ts";
import { attend } from "./attend.ts";
import { type Execute, executeSteps } from "./execute.ts";
import { isRefusal } from "./keep-lease.ts";
import { type Sleep, sleep as realSleep } from "./sleep.ts";
import type { WorkClient } from "./work-client.ts";
import type { WorkerEvent } from "./worker-event.ts";

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
  /** What it can do, for tasks that require something. */
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

export function createWorker(options: WorkerOptions): Worker {
  const { client, workerId, pollInterval = POLL_MS, concurrency = 1, stopGrace = STOP_GRACE_MS } = options;
  const { execute, capabilities, workflows, heartbeatInterval, onEvent = () => undefined } = options;
  const { clock = () => performance.now(), sleep = realSleep, random = Math.random } = options;
  const stopping = new AbortController();
  const giveUp = new AbortController();
  const running = new Set<Promise<void>>();
  const attending = {
    client,
    workerId,
    execute: execute ?? executeSteps,
    heartbeatInterval,
    clock,
    sleep,
    onEvent,
    giveUp: giveUp.signal,
  };
  const request = {
    worker_id: workerId,
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(workflows === undefined ? {} : { workflows }),
    ...(execute === undefined ? { with_steps: true } : {}),
  };
  let started: Promise<void> | undefined;
  let wake = () => {};
  let isPaused = false;

  return Object.freeze<Worker>({
    start: () => (started ??= run()),
    async stop() {
      stopping.abort();
      wake();
      await started?.catch(() => undefined);
    },
  });

  async function run(): Promise<void> {
    try {
      while (!stopping.signal.aborted) {
        if (running.size >= concurrency) await untilWoken();
        else if (isPaused) {
          isPaused = false;
          await pause();
        } else if (!(await claim())) await pause();
      }
    } finally {
      await finishRunning();
    }
  }

  /** False when there is nothing to do for a while. */
  async function claim(): Promise<boolean> {
    // The lease runs from some moment after this one.
    const claimedAt = clock();
    try {
      // Not given up when the worker stops: a task that was leased to it by then has to be given back.
      const claimed = await client.taskClaim(request);
      if (claimed.task === null) {
        onEvent({ kind: "idle", message: "There is nothing to do." });
        return false;
      }
      const { task_id, run_id } = claimed;
      if (stopping.signal.aborted) {
        await client.taskRelease({ run_id, worker_id: workerId, reason: "The worker stops." });
        onEvent({ kind: "released", task_id, run_id, message: "The worker stops." });
        return false;
      }
      const task = attend(claimed, claimedAt, attending).then((end) => {
        running.delete(task);
        // The next claim may well give the same task.
        isPaused ||= end === "released" || end === "lost";
        wake();
      });
      running.add(task);
      return true;
    } catch (error) {
      if (isRefusal(error) && error.name !== "CONFLICT") throw error;
      onEvent({ kind: "trouble", message: error instanceof CairnError ? error.message : String(error) });
      return false;
    }
  }

  async function finishRunning(): Promise<void> {
    const done = new AbortController();
    void sleep(stopGrace, done.signal).then(() => {
      if (!done.signal.aborted) giveUp.abort();
    });
    await Promise.all(running);
    done.abort();
  }

  function pause(): Promise<void> {
    return sleep(pollInterval * (0.5 + random()), stopping.signal);
  }

  /** By a task that ends, or by `stop`. */
  async function untilWoken(): Promise<void> {
    await new Promise<void>((resolve) => (wake = resolve));
  }
}

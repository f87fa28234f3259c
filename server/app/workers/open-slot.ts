import type { Socket } from "node:net";
import type { Environment } from "../../config/config.ts";
import { defined } from "../../json/defined.ts";
import { CairnError } from "../../errors.ts";
import { answerWorker } from "../../instance/workers/answer-worker.ts";
import type { Announced, Hello } from "../../instance/workers/messages.ts";
import type { Log } from "../../log/log.ts";
import type { Member } from "../../store/members.ts";
import type { Store } from "../../store/store.ts";

/** The process of a worker. */
export interface WorkerProcess {
  /** This process's end of the pipe between the two. */
  readonly socket: Socket;
  /** Resolves once it has ended. */
  readonly ended: Promise<Ended>;
  kill(): void;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export type StartWorker = (environment: Environment) => WorkerProcess;

export interface SlotOptions {
  readonly number: number;
  /** Identifier that the worker keeps through all of its processes. */
  readonly id: string;
  readonly hello: Omit<Hello, "self">;
  readonly release: string;
  readonly store: Store;
  /** Lists the workers of all places. */
  readonly members: () => readonly Member[];
  /** Environment of the next process. */
  readonly environment: () => Environment;
  readonly start: StartWorker;
  readonly createId: () => string;
  readonly storeTime: () => number;
  readonly elapsed: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
}

/** The place of one worker, whose process is started again when it ends. */
export interface Slot {
  /** Resolves once the worker serves. @throws BAD_REQUEST or UNAVAILABLE where the first process ends before that; it has said why */
  readonly serves: Promise<Announced>;
  member(): Member;
  /** Asks the worker to end, and waits; it is killed after so many milliseconds. */
  stop(withinMs: number): Promise<void>;
}

/** Milliseconds after which a process that ends had begun well. */
const STEADY_MS = 10_000;
/** Milliseconds before a process is started again that had not, and how long they may become. */
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Exit code of a command whose configuration is wrong. */
const USAGE = 2;

/** Opens the place of a worker, and starts its first process. */
export function openSlot(options: SlotOptions): Slot {
  const { number, id, release, environment, start, createId, storeTime, elapsed, sleep, log } = options;
  const serves = Promise.withResolvers<Announced>();
  // Who closes before it serves does not wait for it.
  serves.promise.catch(() => undefined);
  const stopping = new AbortController();
  let current: { readonly member: Member; readonly process: WorkerProcess; readonly ask: () => void } | undefined;
  let known: Announced = {};
  let hasServed = false;

  function begin(): WorkerProcess {
    const process = start(environment());
    const member = { id, opening: createId(), label: `worker ${number}`, release, startedAt: storeTime() };
    known = {};
    const ask = answerWorker({
      ...options,
      socket: process.socket,
      hello: { ...options.hello, self: member },
      onAnnounced(announced) {
        known = { ...known, ...announced };
        if (known.lines === undefined) return;
        hasServed = true;
        serves.resolve(known);
      },
    });
    current = { member, process, ask };
    return process;
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      const began = elapsed();
      const ended = await begin().ended;
      known = {};
      if (stopping.signal.aborted) break;
      if (!hasServed) return serves.reject(toFailure(number, ended));
      log.error({ worker: number, ...ended }, "a worker ended, and is started again");
      failures = elapsed() - began < STEADY_MS ? failures + 1 : 0;
      const pause = failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1));
      await sleep(pause, stopping.signal).catch(() => undefined);
    }
    serves.reject(new CairnError("UNAVAILABLE", "The service was ended before all of its workers served."));
  }

  const running = run().catch((error: unknown) => serves.reject(error));
  return Object.freeze<Slot>({
    serves: serves.promise,
    member() {
      const { member } = current ?? {};
      const base = member ?? { id, opening: "", label: `worker ${number}`, release, startedAt: 0 };
      return { ...base, ...defined({ address: known.address }) };
    },
    async stop(withinMs) {
      stopping.abort();
      current?.ask();
      const impatient = setTimeout(() => current?.process.kill(), withinMs);
      await running;
      clearTimeout(impatient);
    },
  });
}

function toFailure(number: number, { code, signal }: Ended): CairnError {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const name = code === USAGE ? "BAD_REQUEST" : "UNAVAILABLE";
  return new CairnError(name, `Worker ${number} ended ${how} before it served; what it said stands above.`);
}

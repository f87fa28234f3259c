import type { Program } from "../versions/version.ts";
import type { Attempt } from "./attempt.ts";
import { createIsolate, type Isolate } from "./isolate.ts";
import { spawnHost } from "./spawn-host.ts";
import type { Loss } from "./suspects.ts";
import { type Frame, type LossReason, OPEN_LIMIT, readFatal, toLine } from "./wire.ts";

/** Milliseconds over the limit of an entry, or of loading, after which a host that has said nothing is given up. */
const SILENCE_LIMIT = 3_000;

/** A host with its isolates. */
export interface SandboxProcess {
  readonly pid: number | undefined;
  readonly isolates: ReadonlyMap<number, Isolate>;
  /** Resolves once it is up, or with how it ended before it was. */
  readonly bootFailure: Promise<string | undefined>;
  readonly ended: Promise<void>;
  open(program: Program): Isolate;
  close(isolate: Isolate): void;
  /** Lets time pass; kills the host if it has to be believed stuck. */
  age(milliseconds: number): void;
  kill(): void;
}

export interface SandboxProcessOptions {
  readonly launcher: readonly string[];
  readonly memory: number;
  readonly now: (program: Program) => number;
  readonly onStopped: (isolate: Isolate, suspects: readonly Attempt[]) => void;
  readonly onVacant: (process: SandboxProcess, isolate: Isolate) => void;
  readonly onLoss: (process: SandboxProcess, loss: Loss, end?: ProcessEnd) => void;
}

/** There when not only isolates were lost, but the process. `words` is how it ended, and what it said last. */
export interface ProcessEnd {
  readonly wasReady: boolean;
  readonly words: string;
}

export function createSandboxProcess(options: SandboxProcessOptions): SandboxProcess {
  const isolates = new Map<number, Isolate>();
  const boot = Promise.withResolvers<string | undefined>();
  const ended = Promise.withResolvers<void>();
  let lastId = 0;
  let wasReady = false;
  /** What the host, or the watch over it, has given as the reason of its end. */
  let blame: { reason: LossReason; ids: ReadonlySet<number>; certain: boolean } | undefined;

  const host = spawnHost({ launcher: options.launcher, memory: options.memory, onFrame: hear, onEnd: end });
  const process: SandboxProcess = {
    pid: host.pid,
    isolates,
    bootFailure: boot.promise,
    ended: ended.promise,
    open(program) {
      lastId += 1;
      const isolate: Isolate = createIsolate({
        id: lastId,
        program,
        loadLimit: OPEN_LIMIT,
        now: options.now,
        send: host.send,
        onStopped: (suspects) => options.onStopped(isolate, suspects),
        onVacant: () => options.onVacant(process, isolate),
      });
      isolates.set(isolate.id, isolate);
      return isolate;
    },
    close(isolate) {
      if (!isolates.delete(isolate.id)) return;
      isolate.lose();
      host.send(() => toLine("close", isolate.id));
    },
    age(milliseconds) {
      const silent = [...isolates.values()].filter((isolate) => isolate.age(milliseconds, SILENCE_LIMIT));
      if (silent.length === 0) return;
      blame ??= { reason: "cpu", ids: new Set(silent.map(({ id }) => id)), certain: false };
      host.kill();
    },
    kill: host.kill,
  };
  return process;

  function hear(frame: Frame): void {
    if (frame.verb === "ready") {
      wasReady = true;
      boot.resolve(undefined);
    } else if (frame.verb === "fatal") {
      const { reason, isolates: ids } = readFatal(frame.body);
      blame = { reason, ids, certain: true };
      host.kill();
    } else if (frame.verb === "gone") {
      const isolate = isolates.get(frame.isolate);
      if (isolate === undefined) return;
      isolates.delete(isolate.id);
      const reason = frame.body === "memory" || frame.body === "cpu" ? frame.body : "crash";
      options.onLoss(process, { isolates: [isolate], guilty: new Set([isolate]), reason, certain: true });
    } else {
      isolates.get(frame.isolate)?.hear(frame);
    }
  }

  function end(words: string): void {
    const lost = [...isolates.values()];
    const { reason = "crash", ids, certain = false } = blame ?? {};
    const guilty = lost.filter(
      (isolate) => ids?.has(isolate.id) ?? (isolate.isLoading() || isolate.executing().length > 0),
    );
    isolates.clear();
    boot.resolve(words);
    ended.resolve();
    options.onLoss(process, { isolates: lost, guilty: new Set(guilty), reason, certain }, { wasReady, words });
  }
}

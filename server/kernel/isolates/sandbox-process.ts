import { readFileSync } from "node:fs";
import type { Program } from "../../versions/version.ts";
import type { Attempt } from "./attempt.ts";
import type { DirectEntry } from "./entries.ts";
import { createIsolate, type Isolate } from "./isolate.ts";
import type { LossReason } from "./sandbox.ts";
import { spawnHost } from "./spawn-host.ts";
import type { Loss } from "./suspects.ts";
import { DIRECT_LIMIT, type Frame, readFatal, toLine } from "./wire.ts";

/** Milliseconds after which a host is given up that says nothing though something runs: it says so twice a second. */
const SILENCE_LIMIT = 3_000;
/** Milliseconds over its limit by the clock after which an entry is ended from here: a host that was broken into may not. */
const WALL_GRACE = 3_000;

/** Milliseconds of a direct entry after which V8 is given up to stop it: nothing else happens in its host meanwhile. */
const DIRECT_GRACE = 1_500;
const PAGE = 4_096;

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
  /** Niceness: 0 none, 19 the most. */
  readonly nice: number;
  readonly now: (program: Program) => number;
  readonly mayEnterDirectly: (program: Program) => boolean;
  readonly onStopped: (
    process: SandboxProcess,
    isolate: Isolate,
    suspects: readonly Attempt[],
    wasDirect: boolean,
  ) => void;
  readonly onVacant: (process: SandboxProcess, isolate: Isolate) => void;
  readonly onLoss: (process: SandboxProcess, loss: Loss, end?: ProcessEnd) => void;
}

/** End of the process, absent when only isolates were lost. `words` describe the end, with its last output. */
export interface ProcessEnd {
  readonly wasReady: boolean;
  readonly words: string;
}

interface Blame {
  readonly reason: LossReason;
  readonly ids: ReadonlySet<number> | undefined;
  readonly certain: boolean;
}

export function createSandboxProcess(options: SandboxProcessOptions): SandboxProcess {
  const isolates = new Map<number, Isolate>();
  const boot = Promise.withResolvers<string | undefined>();
  const ended = Promise.withResolvers<void>();
  let [lastId, lastOrder] = [0, 0];
  let wasReady = false;
  let silence = 0;
  /** Reason of the end that the host, or the watch over it, gave. */
  let blame: Blame | undefined;

  const { launcher, memory, nice } = options;
  const host = spawnHost({ launcher, memory, nice, onFrame: hear, onEnd: end });
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
        now: options.now,
        nextOrder: (entering) => (options.mayEnterDirectly(entering) ? (lastOrder += 1) : undefined),
        send: host.send,
        onStopped: (suspects, wasDirect) => options.onStopped(process, isolate, suspects, wasDirect),
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
      const late = [...isolates.values()].filter((isolate) => isolate.age(milliseconds, WALL_GRACE));
      const isBusy = wasReady && isolates.values().some((isolate) => isolate.isBusy());
      silence = isBusy ? silence + milliseconds : 0;
      if (late.length > 0) blame ??= { reason: "clock", ids: new Set(late.map(({ id }) => id)), certain: false };
      else if (silence > SILENCE_LIMIT) blame ??= { reason: "silence", ids: undefined, certain: false };
      else blame ??= findBlocker(isolates.values(), host.pid, memory);
      if (blame !== undefined) host.kill();
    },
    kill: host.kill,
  };
  return process;

  function hear(frame: Frame): void {
    silence = 0;
    if (frame.verb === "ready") {
      wasReady = true;
      boot.resolve(undefined);
    } else if (frame.verb === "fatal") {
      const { reason, isolates: ids } = readFatal(frame.body);
      blame = { reason, ids, certain: reason !== "crash" };
      host.kill();
    } else if (frame.verb === "gone") {
      const isolate = isolates.get(frame.isolate);
      if (isolate === undefined) return;
      isolates.delete(isolate.id);
      const reason = frame.body === "memory" || frame.body === "cpu" ? frame.body : "crash";
      const certain = frame.number === 0;
      options.onLoss(process, { isolates: [isolate], guilty: new Set([isolate]), reason, certain });
    } else {
      isolates.get(frame.isolate)?.hear(frame);
    }
  }

  function end(words: string): void {
    const lost = [...isolates.values()];
    const { reason = "crash", ids, certain = false } = blame ?? {};
    const guilty = lost.filter((isolate) => ids?.has(isolate.id) ?? isolate.isBusy());
    isolates.clear();
    boot.resolve(words);
    ended.resolve();
    options.onLoss(process, { isolates: lost, guilty: new Set(guilty), reason, certain }, { wasReady, words });
  }
}

/** Finds the isolate whose direct entry keeps the host from looking after itself, for too long or with too much memory. */
function findBlocker(isolates: Iterable<Isolate>, pid: number | undefined, memory: number): Blame | undefined {
  let first: (DirectEntry & Pick<Isolate, "id">) | undefined;
  for (const { id, direct } of isolates) {
    const entry = direct();
    if (entry !== undefined && entry.order < (first?.order ?? Number.POSITIVE_INFINITY)) first = { id, ...entry };
  }
  if (first === undefined || first.age <= DIRECT_LIMIT) return undefined;
  const ids = new Set([first.id]);
  if (first.age > DIRECT_GRACE) return { reason: "silence", ids, certain: false };
  return residentBytes(pid) > memory * 2 ** 20 ? { reason: "memory", ids, certain: true } : undefined;
}

/** Memory of a process; 0 where it is gone, or where its system has no `/proc`. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE;
  } catch {
    return 0;
  }
}

import { createSandboxProcess, type SandboxProcess, type SandboxProcessOptions } from "./sandbox-process.ts";

/** Niceness of processes of offenders: beside another process they get a quarter of a processor. */
const APART_NICE = 5;
/** Megabytes at which such a process is replaced: those of the largest isolate that a manifest may ask for, and of Node. */
const APART_MEMORY = 640;

export interface FleetOptions extends Pick<
  SandboxProcessOptions,
  "mayEnterDirectly" | "onStopped" | "onVacant" | "onLoss"
> {
  readonly launcher: readonly string[];
  readonly memory: number;
  readonly spare: boolean;
  readonly now: SandboxProcessOptions["now"];
}

/** The processes that hold isolates: one that serves, one that is ready to once there was a need, and those that are lent. */
export interface Fleet {
  /** Resolves once the first process is up, or with how it ended before it was. */
  readonly bootFailure: Promise<string | undefined>;
  /** The process whose isolates take calls. */
  serving(): SandboxProcess;
  /** A process that nobody uses; another one is made ready for the next time. */
  take(): SandboxProcess;
  /** Takes one back that is good for others. */
  giveBack(process: SandboxProcess): void;
  /** A process for those who are not to harm others: it gives way to all others, and has less memory. */
  startApart(): SandboxProcess;
  end(process: SandboxProcess): void;
  /** Notes that one is no more, and answers whether it was known. */
  forget(process: SandboxProcess, wasReady: boolean): boolean;
  all(): Iterable<SandboxProcess>;
  readonly size: number;
  close(): Promise<void>;
}

export function createFleet({ launcher, memory, spare: hasSpare, now, ...handlers }: FleetOptions): Fleet {
  const processes = new Set<SandboxProcess>();
  let spare: SandboxProcess | undefined;
  let serving: SandboxProcess | undefined;
  let closed = false;

  // Without a spare: most services never lose a process, and one that waits costs memory, and processor time of the start.
  const first = (serving = start({ memory, nice: 0 }));

  return {
    bootFailure: first.bootFailure,
    serving: () => (serving ??= take()),
    take,
    giveBack(process) {
      if (spare === undefined && hasSpare) spare = process;
      else end(process);
    },
    startApart: () => start({ memory: Math.min(memory, APART_MEMORY), nice: APART_NICE }),
    end,
    forget(process, wasReady) {
      if (!processes.delete(process)) return false;
      if (serving === process) serving = undefined;
      if (spare === process) spare = undefined;
      // Started before anything asks for it, so that it is there the sooner; but one that cannot start is not tried again.
      if (wasReady && !closed) void prepareSpare((serving ??= take()));
      return true;
    },
    all: () => processes,
    get size() {
      return processes.size;
    },
    async close() {
      closed = true;
      for (const process of processes) process.kill();
      await Promise.all([...processes].map(({ ended }) => ended));
    },
  };

  function start(kind: { readonly memory: number; readonly nice: number }): SandboxProcess {
    const process = createSandboxProcess({ launcher, now, ...kind, ...handlers });
    processes.add(process);
    return process;
  }

  function take(): SandboxProcess {
    const taken = spare ?? start({ memory, nice: 0 });
    spare = undefined;
    void prepareSpare(taken);
    return taken;
  }

  async function prepareSpare(taken: SandboxProcess): Promise<void> {
    if ((await taken.bootFailure) === undefined && hasSpare && !closed) spare ??= start({ memory, nice: 0 });
  }

  function end(process: SandboxProcess): void {
    processes.delete(process);
    process.kill();
  }
}

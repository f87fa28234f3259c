import type { Run } from "./run.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Processes for suspects, and the most that one of them runs at a time. */
const MAX_PROCESSES = 2;
const MAX_SUSPECTS = 8;

/** The thing that a suspect must not share with other calls: the process, too, if one was lost. */
export type Need = "isolate" | "process";

/** Sandbox in which suspects run again, each in a separate isolate: a suspect that loses it is the culprit. */
export interface Quarantine {
  add(run: Run, need: Need): void;
  /** Looks for suspects that there is room for now, and for processes that are not needed any more. */
  serve(): void;
  /** True when it runs one suspect, who is then to blame for whatever becomes of it. */
  isSolitary(process: SandboxProcess): boolean;
  forget(process: SandboxProcess): void;
}

export interface QuarantineOptions {
  readonly take: () => SandboxProcess;
  readonly dismiss: (process: SandboxProcess) => void;
}

export function createQuarantine({ take, dismiss }: QuarantineOptions): Quarantine {
  /** With what the suspects in them need. */
  const processes = new Map<SandboxProcess, Need>();
  const waiting: { readonly run: Run; readonly need: Need }[] = [];

  return {
    add(run, need) {
      waiting.push({ run, need });
      serve();
    },
    serve,
    isSolitary: (process) => processes.get(process) === "process",
    forget: (process) => void processes.delete(process),
  };

  function serve(): void {
    for (let suspect = waiting.shift(); suspect !== undefined; suspect = waiting.shift()) {
      if (suspect.run.isOver()) continue;
      const process = find(suspect.need);
      if (process === undefined) {
        waiting.unshift(suspect);
        break;
      }
      processes.set(process, suspect.need);
      process.open(suspect.run.call.program).admit(suspect.run);
    }
    for (const process of processes.keys()) {
      if (process.isolates.size > 0) continue;
      processes.delete(process);
      dismiss(process);
    }
  }

  function find(need: Need): SandboxProcess | undefined {
    for (const [process, present] of processes) {
      const { size } = process.isolates;
      if (size === 0 || (need === "isolate" && present === "isolate" && size < MAX_SUSPECTS)) return process;
    }
    return processes.size < MAX_PROCESSES ? take() : undefined;
  }
}

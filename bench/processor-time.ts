/** Processor time of processes with all of their children, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of one unit in `/proc`: it counts in hundredths of a second on every common kernel. */
const TICK_MS = 10;

/**
 * Milliseconds of processor time that a process and its descendants have taken, the ended ones among them as far as their
 * parents have waited for them. Descendants that run the program `without` do not count, nor do theirs. Needs `/proc`.
 */
export function readTreeTime(pid: number, without?: string): number {
  const processes = readProcesses();
  const sum = (of: number): number => {
    const own = processes.get(of)?.time ?? 0;
    const children = [...processes].filter(([, { parent, program }]) => parent === of && program !== without);
    return own + children.reduce((total, [child]) => total + sum(child), 0);
  };
  return sum(pid);
}

/** Milliseconds of processor time of all children of this process that have ended. */
export function readEndedChildrenTime(): number {
  return (readStat(process.pid)?.ended ?? 0) * TICK_MS;
}

interface ProcessTime {
  readonly parent: number;
  readonly program: string;
  readonly time: number;
}

function readProcesses(): ReadonlyMap<number, ProcessTime> {
  const processes = new Map<number, ProcessTime>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat !== undefined) {
      const { parent, program, own, ended } = stat;
      processes.set(Number(name), { parent, program, time: (own + ended) * TICK_MS });
    }
  }
  return processes;
}

/** Reads `/proc/<pid>/stat`; undefined when the process has ended meanwhile. */
function readStat(
  pid: number,
): { readonly parent: number; readonly program: string; readonly own: number; readonly ended: number } | undefined {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name of the program stands in parentheses and may have any character in it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = (field: number) => Number(fields[field - 3] ?? 0);
  const program = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
  return { parent: at(4), program, own: at(14) + at(15), ended: at(16) + at(17) };
}

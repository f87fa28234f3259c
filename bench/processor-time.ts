/** Processor time of processes with all of their children, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds of one unit in `/proc`: it counts in hundredths of a second on every common kernel. */
const TICK_MS = 10;

/**
 * Milliseconds of processor time that a process and its descendants have taken, the ended ones among them as far as their
 * parents have waited for them. Needs `/proc`.
 */
export function readTreeTime(pid: number): number {
  const processes = readProcesses();
  const sum = (of: number): number => {
    const own = processes.get(of)?.time ?? 0;
    const children = [...processes].filter(([, { parent }]) => parent === of);
    return own + children.reduce((total, [child]) => total + sum(child), 0);
  };
  return sum(pid);
}

/** Milliseconds of processor time of all children of this process that have ended. */
export function readEndedChildrenTime(): number {
  return (readStat(process.pid)?.ended ?? 0) * TICK_MS;
}

function readProcesses(): ReadonlyMap<number, { readonly parent: number; readonly time: number }> {
  const processes = new Map<number, { readonly parent: number; readonly time: number }>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat !== undefined) {
      processes.set(Number(name), { parent: stat.parent, time: (stat.own + stat.ended) * TICK_MS });
    }
  }
  return processes;
}

/** Reads `/proc/<pid>/stat`; undefined when the process has ended meanwhile. */
function readStat(pid: number): { readonly parent: number; readonly own: number; readonly ended: number } | undefined {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name of the program stands in parentheses and may have any character in it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const at = (field: number) => Number(fields[field - 3] ?? 0);
  return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Microseconds of a clock tick, in which /proc counts CPU time. */
export const TICK = 1e6 / Number(execFileSync("getconf", ["CLK_TCK"]).toString());

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Ticks of all its threads, and of the children it has seen end. */
  readonly ticks: number;
}

export interface Memory {
  /** Megabytes resident, mapped files included: pages of a store, which the kernel keeps as long as nobody needs the room. */
  readonly resident: number;
  /** Megabytes where processes that share a page divide it among them (PSS). */
  readonly proportional: number;
  /** Of that what belongs to each process alone, the oldest first. */
  readonly own: readonly number[];
}

/** Microseconds of CPU that a process and everything it started have used so far. */
export function readCpu(pid: number): number {
  return familyOf(pid).reduce((sum, { ticks }) => sum + ticks, 0) * TICK;
}

/** Memory of a process and everything it started. */
export function readMemory(pid: number): Memory {
  const family = familyOf(pid);
  const texts = family.map((member) => readText(`/proc/${member.pid}/status`));
  const maps = family.map((member) => readText(`/proc/${member.pid}/smaps_rollup`));
  const read = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) / 1024;
  return {
    resident: texts.reduce((sum, text) => sum + read(text, "VmRSS"), 0),
    proportional: maps.reduce((sum, text) => sum + read(text, "Pss"), 0),
    own: texts.map((text) => read(text, "RssAnon")),
  };
}

function familyOf(pid: number): Stat[] {
  const stats = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readStat(name) : []));
  const family = new Set([pid]);
  // A child's number may be below its parent's, so look until nobody new is found.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const stat of stats) if (family.has(stat.parent)) family.add(stat.pid);
  }
  return stats.filter((stat) => family.has(stat.pid));
}

function readStat(name: string): Stat[] {
  const text = readText(`/proc/${name}/stat`);
  if (text === "") return [];
  // The name of the program comes second, in parentheses, and may contain anything; what follows is numbers.
  const [, parent = 0, ...rest] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = rest.slice(9);
  return [{ pid: Number(name), parent, ticks: user + system + childUser + childSystem }];
}

/** The text of a file under /proc, or nothing when its process has just ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

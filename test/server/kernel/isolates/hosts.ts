import { readdirSync, readFileSync } from "node:fs";

/** Of the clock that Linux tells processes' times by, on all machines. */
const MILLISECONDS_PER_TICK = 10;

/** The sandbox hosts that process `parent` has started and that are still there. */
export function findHosts(parent: number = process.pid): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readProcess(name, "stat").split(") ")[1]?.split(" ")[1] === String(parent))
    .filter((name) => readProcess(name, "cmdline").includes("host-process"))
    .map(Number);
}

export function isRunning(pid: number): boolean {
  return readProcess(String(pid), "cmdline") !== "";
}

/** Resident memory of a process, in kilobytes. */
export function readMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readProcess(String(pid), "status"))?.[1]);
}

/** Milliseconds of processor time that a process has taken. */
export function readProcessorTime(pid: number): number {
  const [, , , , , , , , , , , user, system] = readProcess(String(pid), "stat").split(") ")[1]?.split(" ") ?? [];
  return (Number(user) + Number(system)) * MILLISECONDS_PER_TICK;
}

export function readUser(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readProcess(String(pid), "status"))?.[1]);
}

export function readEnvironment(pid: number): string {
  return readProcess(String(pid), "environ").split("\0").filter(Boolean).join(" ");
}

/** A process may end between being listed and being read. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { TICK } from "./processes.ts";

/** The server, with everything it starts, and the load have a core each, so that neither takes time from the other. */
const CORES = { server: 0, load: 1 };

export type Role = keyof typeof CORES;

/** Whether this machine can keep them apart; figures of one that cannot are no good for comparing runs. */
export const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-c", `${CORES.load}`, "true"]).status === 0;

/** The command that runs this one on its core, and whatever it starts with it. */
export function pinned(role: Role, command: readonly string[]): readonly string[] {
  return canPin ? ["taskset", "-c", `${CORES[role]}`, ...command] : command;
}

/** Microseconds that a core has worked so far, for whomever. */
export function readCoreUse(role: Role): number {
  const [, numbers = ""] = new RegExp(`^cpu${CORES[role]} (.+)$`, "m").exec(readFileSync("/proc/stat", "utf8")) ?? [];
  const [user = 0, nice = 0, system = 0, _idle, _wait, irq = 0, softirq = 0, steal = 0] = numbers
    .split(" ")
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK;
}

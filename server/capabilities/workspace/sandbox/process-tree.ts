import { readFileSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";

/** One process, even when its number is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start of the process, in the kernel's measure. */
  readonly startedAt: string;
}

const PAGE = 4_096;

/** Finds the process with a number; `undefined` when there is none, or only a zombie. */
export function findProcess(pid: number): ProcessIdentity | undefined {
  const text = readStat(pid);
  // The name, in brackets, may hold blanks and brackets.
  const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const startedAt = fields[18];
  return startedAt === undefined || state === "Z" || state === "X" ? undefined : { pid, startedAt };
}

export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  return findProcess(pid)?.startedAt === startedAt;
}

/** Ends a process; does nothing to another one that has its number by now. */
export function killProcess(target: ProcessIdentity): void {
  try {
    if (isRunning(target)) process.kill(target.pid, "SIGKILL");
  } catch (error) {
    // Gone between the look and the blow is as good.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** Bytes of memory that a process and all that came of it hold; what they share counts for each. */
export async function measureMemory(root: number): Promise<number> {
  let sum = 0;
  const left = [root];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    const words = (await readFile(`/proc/${pid}/statm`, "latin1").catch(() => "")).split(" ");
    // Resident, less what is mapped from files.
    sum += Math.max(0, Number(words[1] ?? 0) - Number(words[2] ?? 0)) * PAGE;
    for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      const children = await readFile(`/proc/${pid}/task/${task}/children`, "latin1").catch(() => "");
      left.push(
        ...children
          .split(" ")
          .filter((child) => child !== "")
          .map(Number),
      );
    }
  }
  return sum;
}

/** At once, so that nothing happens between a look and what follows from it. */
function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return "";
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Program {
  readonly process: ChildProcess;
  /** Starts what the program waits with. */
  go(): void;
  /** Resolves when the program has said so many lines, or ended. */
  said(lines: number): Promise<void>;
  /** All complete lines so far, each of which is JSON. */
  readonly lines: readonly string[];
  /** Resolves when the program has ended and all it said has arrived. */
  ended(): Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly complaint: string;
  }>;
}

/** Halves the time in which a program starts. */
const COMPILE_CACHE = join(import.meta.dirname, "../../../node_modules/.cache/cairn-test-programs");

/** Runs `programs/{name}.ts` in a process of its own; killed at the latest when the current test ends. */
export function startProgram(name: string, ...args: readonly string[]): Program {
  const child = spawn(process.execPath, [join(import.meta.dirname, "programs", `${name}.ts`), ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const lines: string[] = [];
  let complaint = "";
  let partial = "";
  const closed = once(child, "close");
  // Not `readline`: it takes the half of a line that a kill leaves for a line.
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (partial + chunk).split("\n");
    partial = parts.pop() ?? "";
    lines.push(...parts);
    child.emit("said");
  });
  child.stderr.on("data", (chunk) => (complaint += chunk));
  // A program that was killed cannot be told anything any more.
  child.stdin.on("error", () => undefined);
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    process: child,
    lines,
    go: () => void child.stdin.end("go\n"),
    async said(count) {
      while (lines.length < count && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(child, "said"), closed]);
      }
    },
    async ended() {
      const [code, signal] = await closed;
      return { code, signal, complaint };
    },
  };
}

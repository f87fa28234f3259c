import { spawn } from "node:child_process";
import { Buffer } from "node:buffer";

export interface ProgramOptions {
  readonly command: readonly string[];
  readonly folder: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Text of standard input. */
  readonly input: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Ends the program. */
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  /** `noisy`: it has printed too much. `missing`: there is no such program. */
  readonly kind: "exited" | "timed_out" | "noisy" | "stopped" | "missing";
  /** Absent when a signal ended it. */
  readonly code?: number;
  /** The last of what it printed on both streams. */
  readonly output: string;
}

/** Bytes of what a program prints that are kept: the last ones say how it went. */
const KEPT_BYTES = 64 * 1024;
/** Bytes after which a program that does not stop printing is ended. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds between asking a program to end and ending it. */
const GRACE_MS = 5_000;

/**
 * Runs a program in a process group of its own until it ends, takes too long, prints too much or is stopped. Nothing that it
 * has started outlives it, as long as that stays in the group. Never rejects.
 */
export function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  const { folder, environment, input, timeoutMs, signal } = options;
  const [program = "", ...args] = options.command;
  const tail = createTail(KEPT_BYTES);
  let kind: ProgramEnd["kind"] = "exited";
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env: environment, detached: true, stdio: "pipe" });
    const kill = (name: "SIGTERM" | "SIGKILL") => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // The group has ended.
      }
    };
    let last: NodeJS.Timeout | undefined;
    const end = (why: ProgramEnd["kind"]) => {
      if (kind !== "exited") return;
      kind = why;
      kill("SIGTERM");
      last = setTimeout(() => kill("SIGKILL"), GRACE_MS);
    };
    const stop = () => end("stopped");
    const timer = setTimeout(() => end("timed_out"), timeoutMs);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        if (tail.add(chunk) > MAX_BYTES) end("noisy");
      });
    }
    // A program need not read what it is given.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const finish = (code: number | null) => {
      clearTimeout(timer);
      clearTimeout(last);
      signal.removeEventListener("abort", stop);
      resolve({ kind, ...(code !== null && { code }), output: tail.text() });
    };
    child.on("error", () => {
      kind = "missing";
      finish(null);
    });
    // What it leaves running would hold its streams.
    child.on("exit", () => kill("SIGKILL"));
    child.on("close", finish);
  });
}

/** Keeps the last bytes that were added; `add` returns how many there were in all. */
function createTail(limit: number) {
  let kept = Buffer.alloc(0);
  let count = 0;
  return {
    add(chunk: Buffer): number {
      kept = Buffer.concat([kept, chunk]).subarray(-limit);
      return (count += chunk.length);
    },
    text: () => kept.toString("utf8").toWellFormed(),
  };
}

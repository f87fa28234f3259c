import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { AtEnd } from "./temporary.ts";

/** The Node that Cairn pins: without a launcher in between, signals reach the process itself. */
export const NODE = resolve("node_modules/.bin/node");

export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Waits until it has printed something like this. */
  said(pattern: RegExp | string, timeout?: number): Promise<void>;
  /** How it ended: exit code, or the signal's name. */
  readonly ended: Promise<number | string | null>;
}

/** A process of the pinned Node, killed at the end at the latest. */
export function startNode(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  atEnd: AtEnd = onTestFinished,
): WorkerProcess {
  const child = spawn(NODE, [...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  const ended = once(child, "close").then(([code, signal]) => (signal ?? code) as number | string | null);
  atEnd(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    child,
    output: () => output,
    async said(pattern, timeout = 20_000) {
      await vi.waitFor(() => expect(output).toMatch(pattern), { timeout, interval: 20 });
    },
    ended,
  };
}

/** `cairn worker` as people start it. */
export function startWorker(url: string, args: readonly string[] = [], atEnd: AtEnd = onTestFinished): WorkerProcess {
  return startNode(["bin/cairn.mjs", "worker", "--url", url, "--poll", "0.1", ...args], {}, atEnd);
}

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { Duplex, type Readable, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../../errors.ts";
import { SYSTEM_PATH } from "../system-program.ts";
import { findProcess, isRunning, killProcess, type ProcessIdentity } from "./process-tree.ts";
import { FD, type SandboxedCommand, toSandboxArguments } from "./sandbox-arguments.ts";

export interface SandboxStart extends SandboxedCommand {
  readonly filter: Uint8Array;
  readonly isRoot: boolean;
}

/** Time in which bubblewrap begins. */
const START_MS = 20_000;
const GONE_MS = 10_000;
const LOOK_MS = 2;

/** Process of a sandbox that has been started, and may not have come about yet. */
export interface StartedSandbox {
  readonly child: ChildProcess;
  /** Resolves with its exit code, once its output has been read. */
  readonly ended: Promise<number | null>;
  /** Resolves with the first process of the sandbox; undefined when it ended, or did not begin in time and was killed. */
  readonly init: Promise<ProcessIdentity | undefined>;
}

/** Starts a command in a sandbox of its own. Nobody has written to its input yet. */
export async function startSandboxed(options: SandboxStart): Promise<StartedSandbox> {
  const { child, info } = start(options, await findInheritedDescriptors());
  const ended = waitForEnd(child);
  return { child, ended, init: findInit(child, info, ended) };
}

async function findInit(
  child: ChildProcess,
  info: Readable,
  ended: Promise<unknown>,
): Promise<ProcessIdentity | undefined> {
  const over = new AbortController();
  const late = sleep(START_MS, "late" as const, { signal: over.signal, ref: false }).catch(() => undefined);
  const first = await Promise.race([readInit(info), ended.then(() => undefined), late]).finally(() => over.abort());
  if (first === "late") child.kill("SIGKILL");
  if (first === "late" || first === undefined) return undefined;
  const { pid, startedAt } = first;
  // Nothing stays behind of a sandbox whose watcher is gone, whatever ended it.
  child.once("exit", () => killProcess({ pid, startedAt }));
  return first;
}

function start(
  options: SandboxStart,
  inherited: readonly number[],
): { readonly child: ChildProcess; readonly info: Readable } {
  const { command, hidden } = toSandboxArguments(options, options.isRoot);
  const [program = "", ...args] = command;
  const nothing = openSync("/dev/null", "r");
  let child: ChildProcess;
  try {
    const stdio: ("pipe" | "ignore" | number)[] = ["pipe", "pipe", "pipe", "pipe", "pipe", "pipe"];
    for (let fd = stdio.length; fd <= Math.max(...inherited, 0); fd += 1) {
      stdio.push(inherited.includes(fd) ? nothing : "ignore");
    }
    child = spawn(program, args, { cwd: "/", env: { PATH: SYSTEM_PATH, LC_ALL: "C" }, stdio });
  } finally {
    closeSync(nothing);
  }
  const pipe = (fd: number) => {
    const stream = child.stdio[fd];
    if (!(stream instanceof Duplex)) throw new TypeError("A pipe to a child process is not a stream.");
    return stream.on("error", () => undefined);
  };
  // A stream whose other direction nobody reads would never close.
  send(pipe(FD.options).resume(), hidden.map((arg) => `${arg}\0`).join(""));
  send(pipe(FD.filter).resume(), options.filter);
  return { child, info: pipe(FD.info) };
}

/** A process that ends before it has read everything says why in another way. */
export function send(stream: Writable, content: string | Uint8Array): void {
  stream.on("error", () => undefined);
  stream.end(content);
}

function waitForEnd(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(new CairnError("UNAVAILABLE", "The sandbox cannot be started.", { cause })));
    child.once("close", (code) => resolve(code));
  });
}

/** The first process of the sandbox, with whose end the kernel ends all others in it. */
function readInit(info: Readable): Promise<ProcessIdentity | undefined> {
  return new Promise((resolve) => {
    let text = "";
    // It is read to its end: bubblewrap dies of a reader that goes away, and leaves its child waiting.
    info.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const pid = /"child-pid"\s*:\s*(\d+)\D/.exec(text)?.[1];
      if (pid !== undefined) resolve(findProcess(Number(pid)));
    });
    info.on("close", () => resolve(undefined));
  });
}

/** Waits until init is gone: it becomes a zombie only after every process of its name space. */
export async function waitUntilGone(init: ProcessIdentity): Promise<void> {
  const until = performance.now() + GONE_MS;
  while (isRunning(init)) {
    if (performance.now() > until) {
      throw new CairnError("INTERNAL_ERROR", `The process ${init.pid} of a sandbox does not end.`);
    }
    await sleep(LOOK_MS);
  }
}

/** Octal, as the kernel shows it. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Descriptors, other than the first three, that a program started by this one would find open: whatever this service was
 * itself started with. In a sandbox they would lead out of it.
 */
async function findInheritedDescriptors(): Promise<readonly number[]> {
  const inherited: number[] = [];
  for (const name of await readdir("/proc/self/fdinfo")) {
    // Gone meanwhile is as good.
    const text = await readFile(`/proc/self/fdinfo/${name}`, "latin1").catch(() => undefined);
    const flags = Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(text ?? "")?.[1] ?? String(CLOSE_ON_EXEC), 8);
    if (text !== undefined && Number(name) > 2 && (flags & CLOSE_ON_EXEC) === 0) inherited.push(Number(name));
  }
  return inherited;
}

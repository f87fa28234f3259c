import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { Duplex, Readable, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { CairnError } from "../../../errors.ts";
import { SYSTEM_PATH } from "../system-program.ts";
import { keepOutput, type Output } from "./output.ts";
import { findProcess, isRunning, killProcess, type ProcessIdentity } from "./process-tree.ts";
import { FD, type SandboxedCommand, toSandboxArguments } from "./sandbox-arguments.ts";
import { type UsageLimit, watchUsage } from "./watch-usage.ts";
import { readdir, readFile } from "node:fs/promises";

export interface SandboxResult {
  /** As shells have it: 128 and the signal's number when a signal ended the command; `null` when a limit did. */
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly timed_out: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  readonly duration_ms: number;
  /** Limits that the command reached, as far as detectable. */
  readonly limits_hit: readonly ("time" | "cpu" | "file" | "output" | UsageLimit)[];
}

export interface SandboxRun extends SandboxedCommand {
  readonly stdin: string;
  readonly timeoutMs: number;
  readonly filter: Uint8Array;
  readonly isRoot: boolean;
  /** Ends the command; the result is an error then. */
  readonly signal?: AbortSignal | undefined;
}

/** Cause that ended a command from outside. */
type Stop = "time" | "cancelled" | UsageLimit;

/** Time in which bubblewrap begins. */
const START_MS = 20_000;
const GONE_MS = 10_000;
const LOOK_MS = 2;

/** Runs one command in a sandbox of its own, of which nothing is left when this settles. */
export async function runSandboxed(options: SandboxRun): Promise<SandboxResult> {
  const { limits, signal, tree } = options;
  const began = performance.now();
  const { child, info } = start(options, await findInheritedDescriptors());
  const ended = waitForEnd(child);
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) =>
    keepOutput(stream ?? Readable.from([]), limits.outputBytes),
  );
  if (stdout === undefined || stderr === undefined) throw new TypeError("A child process has no output.");
  let init: ProcessIdentity | undefined;
  let stop: Stop | undefined;
  const end = (reason: Stop) => {
    stop ??= reason;
    if (init !== undefined) killProcess(init);
  };
  const over = new AbortController();
  const timer = setTimeout(() => end("time"), options.timeoutMs);
  const onAbort = () => end("cancelled");
  signal?.addEventListener("abort", onAbort);
  let watching: Promise<unknown> | undefined;
  let code: number | null;
  try {
    const late = sleep(START_MS, "late" as const, { signal: over.signal, ref: false }).catch(() => undefined);
    const first = await Promise.race([readInit(info), ended.then(() => undefined), late]);
    if (first === "late") child.kill("SIGKILL");
    // A short command may be over by now.
    else if (first !== undefined) {
      init = first;
      if (signal?.aborted === true) onAbort();
      if (stop !== undefined) killProcess(init);
      watching = watchUsage({ pid: init.pid, tree, limits, signal: over.signal }).then(
        (hit) => hit !== undefined && end(hit),
        () => end("disk"),
      );
      const { pid, startedAt } = init;
      // Nothing stays behind of a sandbox whose watcher is gone, whatever ended it.
      child.once("exit", () => killProcess({ pid, startedAt }));
    }
    code = await ended;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    over.abort();
    await watching;
    if (init !== undefined) await waitUntilGone(init);
  }
  if (stop === "cancelled") throw cancelled();
  refuseBroken(code, stop, stderr);
  return toResult({ code, stop, stdout, stderr, began });
}

function start(
  options: SandboxRun,
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
  if (child.stdin !== null) send(child.stdin, options.stdin);
  return { child, info: pipe(FD.info) };
}

/** A process that ends before it has read everything says why in another way. */
function send(stream: Writable, content: string | Uint8Array): void {
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
async function waitUntilGone(init: ProcessIdentity): Promise<void> {
  const until = performance.now() + GONE_MS;
  while (isRunning(init)) {
    if (performance.now() > until) {
      throw new CairnError("INTERNAL_ERROR", `The process ${init.pid} of a sandbox does not end.`);
    }
    await sleep(LOOK_MS);
  }
}

/** Tells a sandbox that did not come about from a command that failed in one. */
function refuseBroken(code: number | null, stop: Stop | undefined, stderr: Output): void {
  if (stop !== undefined || code === 0) return;
  const words = stderr.text();
  if (!/^(?:bwrap|setpriv|choom|forwarder): /.test(words)) return;
  const message = `The sandbox could not be made: ${words.split("\n")[0]?.slice(0, 300)}.`;
  throw new CairnError("UNAVAILABLE", message);
}

function toResult(run: {
  readonly code: number | null;
  readonly stop: Exclude<Stop, "cancelled"> | undefined;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly began: number;
}): SandboxResult {
  const { code, stop, stdout, stderr, began } = run;
  const signal = stop === undefined ? findSignal(code) : "SIGKILL";
  const hit = new Set<SandboxResult["limits_hit"][number]>(stop === undefined ? [] : [stop]);
  if (signal === "SIGXCPU") hit.add("cpu");
  if (signal === "SIGXFSZ") hit.add("file");
  if (stdout.truncated || stderr.truncated) hit.add("output");
  return {
    exit_code: stop === undefined ? code : null,
    signal,
    timed_out: stop === "time",
    stdout: stdout.text(),
    stderr: stderr.text(),
    stdout_truncated: stdout.truncated,
    stderr_truncated: stderr.truncated,
    duration_ms: Math.round(performance.now() - began),
    limits_hit: [...hit],
  };
}

function findSignal(code: number | null): string | null {
  if (code === null || code <= 128) return null;
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
}

function cancelled(): CairnError {
  return new CairnError("CANCELLED", "The command was ended, because nobody waits for it any more.");
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

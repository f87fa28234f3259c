import { constants } from "node:os";
import { Readable } from "node:stream";
import { CairnError } from "../../../errors.ts";
import { killProcess, type ProcessIdentity } from "./process-tree.ts";
import { type SandboxStart, send, startSandboxed, waitUntilGone } from "./start-sandboxed.ts";
import { type UsageLimit, watchUsage } from "./watch-usage.ts";

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

export interface SandboxRun extends SandboxStart {
  readonly stdin: string;
  readonly timeoutMs: number;
  /** Ends the command; the result is an error then. */
  readonly signal?: AbortSignal | undefined;
}

/** Cause that ended a command from outside. */
type Stop = "time" | "cancelled" | UsageLimit;

/** Runs one command in a sandbox of its own, of which nothing is left when this settles. */
export async function runSandboxed(options: SandboxRun): Promise<SandboxResult> {
  const { limits, signal, tree } = options;
  const began = performance.now();
  const started = await startSandboxed(options);
  const { child, ended } = started;
  if (child.stdin !== null) send(child.stdin, options.stdin);
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
    init = await started.init;
    // A short command may be over by now.
    if (init !== undefined) {
      if (signal?.aborted === true) onAbort();
      if (stop !== undefined) killProcess(init);
      watching = watchUsage({ pid: init.pid, tree, limits, signal: over.signal }).then(
        (hit) => hit !== undefined && end(hit),
        () => end("disk"),
      );
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

interface Output {
  /** Kept output, with a note at its end when it was cut. */
  text(): string;
  readonly truncated: boolean;
}

/** Keeps the beginning of a stream, up to `limit` bytes, and reads on: a program that nobody reads from would stand still. */
function keepOutput(stream: Readable, limit: number): Output {
  const chunks: Buffer[] = [];
  let [kept, all] = [0, 0];
  stream.on("data", (chunk: Buffer) => {
    const part = chunk.subarray(0, limit - kept);
    if (part.length > 0) chunks.push(part);
    kept += part.length;
    all += chunk.length;
  });
  // How the process ended says more.
  stream.on("error", () => undefined);
  return {
    get truncated() {
      return all > kept;
    },
    text: () => {
      const text = Buffer.concat(chunks).toString("utf8");
      // A character that was cut in the middle is left out.
      return all > kept ? `${text.replace(/\u{FFFD}+$/u, "")}\n[cut: ${kept} of ${all} bytes]\n` : text;
    },
  };
}

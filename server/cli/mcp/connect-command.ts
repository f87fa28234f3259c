import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../../config/config.ts";
import { CairnError } from "../../errors.ts";
import { readLines } from "../stdio/lines.ts";
import {
  type Answer,
  createMeter,
  findAnswer,
  findMessage,
  type McpConnection,
  type Message,
  toReply,
} from "./connection.ts";

/** Milliseconds that a server has to end by itself when its input ends, and once more when it is asked to. */
const GRACE_MS = 2_000;
/** Characters of what a server printed as errors that are repeated when it ends too early. */
const COMPLAINT_LENGTH = 500;

interface Waiting {
  readonly id: number;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: Error) => void;
}

/**
 * Starts a server as a command, without a shell, and speaks with it over its input and output. Lines that are no messages
 * are skipped: many servers print something there.
 */
export function connectCommand(
  label: string,
  {
    folder,
    environment,
    signal,
  }: { readonly folder: string; readonly environment: Environment; readonly signal: AbortSignal },
): McpConnection {
  const [program = "", ...args] = splitWords(label);
  if (program === "") throw new CairnError("BAD_REQUEST", "The command of the MCP server is empty.");
  // A group of its own, because programs such as npx start the server in turn.
  const child = spawn(program, args, { cwd: folder, env: { ...environment }, detached: true, windowsHide: true });
  let complaint = "";
  let failure: CairnError | undefined;
  let waiting: Waiting | undefined;
  let count = 0;
  const fail = (message: string, cause?: unknown) => {
    failure ??= cause instanceof CairnError ? cause : new CairnError("UNAVAILABLE", message, { cause });
    waiting?.fail(failure);
  };
  const write = (message: Message) => child.stdin.write(`${JSON.stringify(message)}\n`);

  child.stderr.on("data", (chunk: Buffer) => (complaint = `${complaint}${String(chunk)}`.slice(-COMPLAINT_LENGTH)));
  // The end of the program says more than that its input is closed.
  child.stdin.on("error", () => undefined);
  child.once("error", (cause) => fail(`\`${program}\` cannot be started: ${cause.message}.`, cause));
  child.once("close", (code, by) => {
    const said = complaint.trim() === "" ? "" : `; it said: ${complaint.trim()}`;
    fail(`\`${label}\` ended with ${by ?? code} before it had answered${said}.`);
  });
  signal.addEventListener("abort", () => fail(`\`${label}\` did not answer in time.`), { once: true });
  void listen().catch((cause: unknown) => fail(`\`${label}\` cannot be read.`, cause));

  async function listen(): Promise<void> {
    for await (const line of readLines(createMeter(label)(child.stdout), /\r?\n/)) {
      const message = findMessage(line);
      if (message === undefined) continue;
      const reply = toReply(message);
      if (reply !== undefined) write(reply);
      const answer = waiting === undefined ? undefined : findAnswer(message, waiting.id);
      if (answer !== undefined) waiting?.settle(answer);
    }
  }

  return {
    label,
    request: (method, params) =>
      new Promise<Answer>((settle, reject) => {
        if (failure !== undefined) return reject(failure);
        waiting = { id: ++count, settle, fail: reject };
        write({ jsonrpc: "2.0", id: count, method, params });
      }),
    async notify(method) {
      write({ jsonrpc: "2.0", method });
    },
    agree: () => undefined,
    close: () => end(child),
  };
}

/** Ends a server as MCP asks: its input ends, then it is asked to end, then it is killed. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit").then(() => true);
  child.stdin.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((pass) => (timer = setTimeout(() => pass(false), GRACE_MS)));
    const isEnded = await Promise.race([ended, late]);
    clearTimeout(timer);
    if (isEnded) return;
    kill(child, signal);
  }
  await ended;
}

function kill(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch {
    // It has ended meanwhile, or this system has no groups of processes.
    child.kill(signal);
  }
}

/** Splits a command as a shell would, quotes and backslashes included; nothing in it is replaced or executed. */
export function splitWords(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)].map(([word]) => word);
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single?: string, double?: string, one?: string) =>
        single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? one ?? "",
    ),
  );
}

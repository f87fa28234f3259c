import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Environment } from "../../../config/config.ts";
import { CairnError } from "../../../errors.ts";
import { connectProcess } from "./connect-process.ts";
import type { McpConnection } from "./connection.ts";

/** Milliseconds that a server has to end by itself when its input ends, and once more when it is asked to. */
const GRACE_MS = 2_000;

/** Starts a server as a command, without a shell, and speaks with it over its input and output. */
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
  const { stdin, stdout, stderr } = child;
  const ended = Promise.withResolvers<string>();
  child.once("error", ({ message }) => ended.resolve(`\`${program}\` cannot be started: ${message}.`));
  child.once("close", (code, by) => ended.resolve(`ended with ${by ?? code}`));
  return connectProcess(label, { stdin, stdout, stderr, ended: ended.promise, end: () => end(child) }, { signal });
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

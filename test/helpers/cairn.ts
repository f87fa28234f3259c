import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { runCli } from "../../server/cli/cli.ts";
import { compileCommand } from "./compiled-command.ts";
import { type AtEnd, temporaryFolder } from "./temporary.ts";
import { findPlace, isThroughNodes, startThroughNodes } from "./through-nodes.ts";

/** Runs the sources, module by module. */
const SOURCES = resolve("bin/cairn.mjs");

/** Workers of each service that a test starts as one of one process (`CAIRN_TEST_WORKERS=2 npx vitest run <files>`). */
const TEST_WORKERS = process.env["CAIRN_TEST_WORKERS"];

export interface RunningCairn {
  readonly url: string;
  /** Of the process that was started: the launcher, unless this runs on the Node that Cairn pins. */
  readonly pid: number;
  /** Everything it has printed so far. */
  readonly output: () => string;
  /** Asks it to end, and waits; the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A service as people start it, in a process of its own; ended at the end at the latest. */
export async function startCairn(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
  command?: string,
  node = process.execPath,
): Promise<RunningCairn> {
  const start = (own: readonly string[], place: Readonly<Record<string, string>>) =>
    startProcess(own, place, atEnd, command, node);
  // Nodes of a test that is about several have their places already.
  if (!isThroughNodes() || environment["CAIRN_NODE_ADDRESS"] !== undefined) return start(args, environment);
  return startThroughNodes({ args, environment, atEnd, start });
}

async function startProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  atEnd: AtEnd,
  command: string | undefined,
  node: string,
): Promise<RunningCairn> {
  // Without one, it would keep its data in this checkout.
  const own = args.includes("--data") ? {} : { CAIRN_DATA: join(await temporaryFolder(atEnd), "data") };
  const child = spawn(node, [command ?? (await findCommand(environment)), ...args], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: "0",
      CAIRN_LOG_LEVEL: "warn",
      ...(TEST_WORKERS === undefined ? {} : { CAIRN_WORKERS: TEST_WORKERS }),
      ...own,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  atEnd(async () => {
    await stop(child, "SIGKILL");
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk));
  const url = await new Promise<string>((found, fail) => {
    createInterface(child.stdout).on("line", (line) => {
      output += `${line}\n`;
      const [, address] = /^Cairn serves .* at (\S+)$/.exec(line) ?? [];
      if (address !== undefined) found(address);
    });
    child.once("exit", (code) => fail(new Error(`cairn ended with ${code}:\n${output}`)));
  });
  return { url, pid: child.pid ?? 0, output: () => output, stop: (signal = "SIGTERM") => stop(child, signal) };
}

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end, in a process as people do; rejects never, so that failures can be looked at. */
export async function runCairn(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const own = { ...findPlace(args), ...options.environment };
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...own };
  const running = promisify(execFile)(process.execPath, [await findCommand(env), ...args], { env, cwd: options.cwd });
  if (options.input !== undefined) running.child.stdin?.end(options.input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ran) => error,
  );
}

/**
 * Runs one command in this process, which costs less than `runCairn`. It has no log of a service in `stderr`, and no launcher
 * around it, and finds the home folder of this one: a test of each command runs the program itself.
 */
export async function runInProcess(
  args: readonly string[],
  { cwd = process.cwd(), environment = {}, input }: RunOptions = {},
): Promise<Ran> {
  const printed = { out: "", err: "" };
  const stdin = new PassThrough();
  if (input !== undefined) stdin.end(input);
  const code = await runCli(args, {
    environment: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TZ: "UTC",
      ...findPlace(args),
      ...environment,
    },
    folder: cwd,
    input: () => stdin,
    out: (line) => void (printed.out += `${line}\n`),
    err: (line) => void (printed.err += `${line}\n`),
    isTerminal: false,
    now: Date.now,
    stopped: () => new Promise<void>(() => undefined),
  });
  return { code, stdout: printed.out, stderr: printed.err };
}

/** Finds the command that is cheaper to start, unless something is preloaded: that may know modules by their paths. */
async function findCommand(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  return environment["NODE_OPTIONS"] === undefined ? compileCommand() : SOURCES;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

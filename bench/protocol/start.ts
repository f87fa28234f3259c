import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { createAgentRepository, toVersion } from "./agent-repository.ts";
import type { Contender } from "./contenders.ts";
import { pinned } from "./pinning.ts";

export interface Running {
  readonly contender: Contender;
  readonly pid: number;
  /** The MCP endpoint. */
  readonly url: string;
  /** How many tools it has. */
  readonly tools: number;
  /** What lets its callers in; absent: nothing has to. */
  readonly token?: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly tools: number;
  /** Versions in the repository that Cairn serves; the endpoint is the first one's. */
  readonly versions?: number;
  /** Whether Cairn wants to know who calls. */
  readonly authentication?: boolean;
  /** More variables of Cairn's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder of the Cairn that is started; absent: this checkout. */
  readonly root?: string;
}

const ROOT = resolve(import.meta.dirname, "../..");
/** Milliseconds a server may take to end by itself. */
const PATIENCE = 10_000;

/** Starts a contender as its documentation has it, on the core for servers. */
export async function start(
  contender: Contender,
  { tools, versions = 1, authentication = false, environment = {}, root = ROOT }: StartOptions,
): Promise<Running> {
  const { program } = contender;
  if (program !== undefined) {
    const { pid, first, stop } = await run([join(import.meta.dirname, "contenders", `${program}.mjs`), `${tools}`]);
    return { contender, pid, url: first, tools, stop };
  }
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const repository = join(folder, "agent.git");
    await createAgentRepository(repository, tools, versions);
    const cairn = join(root, "bin/cairn.mjs");
    const data = ["--data", join(folder, "data")];
    const grant = ["--tenant", "bench", "--actor", "bench", "--scopes", "*", "--roles", "*"];
    const token = authentication ? { token: createToken([cairn, "token", "create", ...grant, ...data]) } : {};
    const { pid, first, stop } = await run([cairn, "serve", repository, ...data, "--port", "0"], environment);
    const server = contender.effects === true ? "keeper" : "runner";
    const url = `${first}/agent/${toVersion(0)}/${server}`;
    return { contender, pid, url, tools, ...token, stop: () => stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function createToken(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** Starts a program of Node's, and waits for the line in which it says where it listens. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const [command = "", ...rest] = pinned("server", [process.execPath, ...args]);
  const child = spawn(command, rest, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", CAIRN_LOG_LEVEL: "error", ...environment },
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk}`.slice(-2_000)));
  const first = await new Promise<string>((found, fail) => {
    createInterface(child.stdout).on("line", (line) => {
      const [, address] = /^(?:Cairn serves .* at )?(http:\S+)$/.exec(line) ?? [];
      if (address !== undefined) found(address);
    });
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`${args[0]} ended with ${code} before it listened:\n${errors}`)));
  });
  return { pid: child.pid ?? 0, first, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const impatient = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
  await ended;
  clearTimeout(impatient);
}

import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { pinned } from "../pinning.ts";
import { KEY, type Plan, toHttp } from "./plan.ts";

export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not what the plan expects. */
  readonly wrong: number;
  /** Requests without any answer. */
  readonly failed: number;
  /** Microseconds of CPU that sending and reading took. */
  readonly cpu: number;
  /** The beginning of the first wrong answer. */
  readonly sample: string;
}

export interface Load {
  readonly generator: "wrk" | "node:http";
  /** Sends a plan over that many connections for whole seconds. */
  run(plan: Plan, options: { readonly connections: number; readonly seconds: number }): Promise<LoadResult>;
}

/** Seconds after which a request counts as failed; the slowest peers take a while for a thousand tools. */
const TIMEOUT = 30;
/** Keys set aside for each run: more than any run can use up. */
const KEYS = 10_000_000;

/** The best load generator there is: wrk, or else our own on `node:http`. */
export function createLoad(): Load {
  const hasWrk = (process.env["PATH"] ?? "").split(delimiter).some((folder) => isExecutable(join(folder, "wrk")));
  let first = 0;
  return {
    generator: hasWrk ? "wrk" : "node:http",
    async run(plan, { connections, seconds }) {
      first += KEYS;
      const folder = await mkdtemp(join(tmpdir(), "cairn-load-"));
      const file = join(folder, "plan");
      try {
        const text = hasWrk ? toLua(plan, first) : JSON.stringify({ ...plan, connections, seconds, first });
        await writeFile(file, text);
        const [command = "", ...args] = pinned(
          "load",
          hasWrk
            ? toWrk(plan, connections, seconds)
            : [process.execPath, join(import.meta.dirname, "node-load.ts"), file],
        );
        const { stdout } = await promisify(execFile)(command, args, { env: { ...process.env, LOAD_PLAN: file } });
        return readResult(stdout);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function toWrk({ url }: Plan, connections: number, seconds: number): string[] {
  const script = join(import.meta.dirname, "wrk.lua");
  const numbers = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", `${TIMEOUT}s`];
  return ["wrk", ...numbers, "-s", script, url];
}

/** JSON's strings are Lua's too, as long as they are ASCII. */
function toLua({ url, requests, needle }: Plan, first: number): string {
  const texts = requests.map((request) => JSON.stringify(toHttp(url, request)));
  const fields = [
    `first = ${first}`,
    `needle = ${JSON.stringify(needle)}`,
    `key = "${KEY}"`,
    `format = "key-%012d"`,
    `requests = { ${texts.join(", ")} }`,
  ];
  return `return { ${fields.join(", ")} }\n`;
}

function readResult(stdout: string): LoadResult {
  const [, numbers = ""] = /^RESULT (.+)$/m.exec(stdout) ?? [];
  const [calls = 0, micros = 0, p50 = 0, p99 = 0, wrong = 0, failed = 0, cpu = 0] = numbers.split(" ").map(Number);
  if (micros === 0) throw new Error(`The load generator reported nothing:\n${stdout}`);
  const [, sample = ""] = /^SAMPLE (.*)$/m.exec(stdout) ?? [];
  return { calls, seconds: micros / 1e6, p50: p50 / 1_000, p99: p99 / 1_000, wrong, failed, cpu, sample };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

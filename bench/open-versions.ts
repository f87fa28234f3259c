/**
 * What open versions cost, against one process for each: `node bench/open-versions.ts [versions]`. Every version is opened
 * and called once over MCP; counted is the resident memory of all processes, less what sharing makes them count twice (PSS).
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { generateVersions } from "../test/helpers/generate-versions.ts";

const VERSIONS = Number(process.argv[2] ?? 100);
/** Processes started for the comparison: what one takes is the same for each. */
const LEAN = Math.min(VERSIONS, 10);

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ms: number;
}

const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
try {
  const upstream = join(folder, "upstream.git");
  await generateVersions(upstream, VERSIONS);
  const [cairn, lean] = [await measureCairn(upstream), await measureLean(upstream)];
  const rows: [string, string, string][] = [
    ["", "Cairn", "a process each"],
    ["ready", `${cairn.start.toFixed(0)} ms`, `${lean.start.toFixed(0)} ms each`],
    ["first call of a version, median", `${cairn.call.toFixed(0)} ms`, `${(lean.start + lean.call).toFixed(0)} ms`],
    ["memory before the first call", `${cairn.before.toFixed(0)} MB`, ""],
    [`memory with ${VERSIONS} open`, `${cairn.after.toFixed(0)} MB`, `${(lean.memory * VERSIONS).toFixed(0)} MB`],
    [
      "of that for each version",
      `${((cairn.after - cairn.before) / VERSIONS).toFixed(2)} MB`,
      `${lean.memory.toFixed(1)} MB`,
    ],
    ["ratio", "1", (lean.memory / ((cairn.after - cairn.before) / VERSIONS)).toFixed(0)],
  ];
  for (const [name, ...cells] of rows)
    process.stdout.write(`${name.padEnd(34)}${cells.map((cell) => cell.padStart(18)).join("")}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureCairn(upstream: string) {
  const started = await start([
    resolve("bin/cairn.mjs"),
    "serve",
    upstream,
    "--data",
    join(folder, "data"),
    "--port",
    "0",
  ]);
  try {
    const before = memoryOf(started.child);
    const times: number[] = [];
    for (let at = 0; at < VERSIONS; at += 1) {
      const began = performance.now();
      await call(`${started.url}/agent/1.${at}.0/runner`, "tool_0");
      times.push(performance.now() - began);
    }
    return { start: started.ms, before, after: memoryOf(started.child), call: median(times) };
  } finally {
    started.child.kill();
    await once(started.child, "exit");
  }
}

async function measureLean(upstream: string) {
  const processes: Started[] = [];
  try {
    const times: number[] = [];
    for (let at = 0; at < LEAN; at += 1) {
      const handler = join(folder, `tool_${at}.ts`);
      await writeFile(handler, execFileSync("git", ["-C", upstream, "show", `v1.${at}.0:tools/runner/tool_0.ts`]));
      const started = await start([resolve("bench/lean-server.ts"), handler, "tool_0"]);
      processes.push(started);
      const began = performance.now();
      await call(started.url, "tool_0");
      times.push(performance.now() - began);
    }
    const memory = processes.reduce((sum, { child }) => sum + memoryOf(child), 0) / LEAN;
    return { start: median(processes.map(({ ms }) => ms)), call: median(times), memory };
  } finally {
    for (const { child } of processes) child.kill();
  }
}

async function start(args: readonly string[]): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, CAIRN_LOG_LEVEL: "error" },
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const port = /"port":(\d+)/.exec(line)?.[1];
  const url = port === undefined ? (/ at (\S+)$/.exec(line)?.[1] ?? "") : `http://127.0.0.1:${port}`;
  return { child, url, ms: performance.now() - began };
}

async function call(url: string, name: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: { place: "here" } },
    }),
  });
  const text = await response.text();
  if (!text.includes('\\"place\\":\\"here\\"')) throw new Error(text);
}

/** Megabytes of a process and all that it started, pages that several share divided among them. */
function memoryOf({ pid = 0 }: ChildProcess): number {
  const parents = execFileSync("ps", ["-eo", "pid=,ppid="])
    .toString()
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = new Set([pid]);
  for (const [child = 0, parent = 0] of parents) if (family.has(parent)) family.add(child);
  const sizes = [...family].map((member) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${member}/smaps_rollup`, "utf8"))?.[1] ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * Measures what an installation costs: bytes on the disk, and of a service for one tool the processor time of its start and the
 * memory of all its processes when idle. Linux only.
 *
 *     node bench/start.ts [path of cairn.mjs] [runs]
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const TICKS_PER_SECOND = 100;
/** Milliseconds after which a service has settled. */
const SETTLED = 3000;
const RUNTIME = /\/node-(?:linux|win|darwin)-\w+\//;
const [, , command = "bin/cairn.mjs", runs = "5"] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "cairn-start-"));
const agent = join(folder, "agent");

/** The process and all that descend from it. */
function findTree(pid: number): readonly number[] {
  const children = readOf(pid, `task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(findTree)];
}

/** A file of a process below `/proc`, empty when the process has just ended, as git's do. */
function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Seconds of processor time of a process, with those of its children that have ended. */
function readSeconds(pid: number): number {
  const fields = readOf(pid, "stat").split(") ")[1]?.split(" ") ?? [];
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0) / TICKS_PER_SECOND;
}

/** Megabytes of memory, with the process's share of what is shared. */
function readMemory(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readOf(pid, "smaps_rollup"))?.[1] ?? 0) / 1024;
}

async function measure(run: number) {
  const child = spawn(process.execPath, [resolve(command), "serve", agent, "--data", join(folder, `data-${run}`)], {
    env: { PATH: process.env["PATH"], HOME: folder, PORT: "0", CAIRN_LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = child.pid ?? 0;
  const sumOf = (read: (pid: number) => number) => findTree(pid).reduce((sum, one) => sum + read(one), 0);
  for await (const line of createInterface(child.stdout)) if (line.startsWith("Cairn serves ")) break;
  const seconds = sumOf(readSeconds);
  await sleep(SETTLED);
  const result = { seconds, settled: sumOf(readSeconds), memory: sumOf(readMemory), processes: findTree(pid).length };
  child.kill();
  await once(child, "exit");
  return result;
}

/** Megabytes of the files in the node_modules that the command is in, without Node itself. */
function measureSize(): number {
  const file = realpathSync(command);
  const at = file.lastIndexOf("/node_modules/");
  const modules = at < 0 ? join(dirname(file), "../node_modules") : file.slice(0, at + "/node_modules".length);
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !RUNTIME.test(`${entry.parentPath}/`))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size / 1e6, 0);
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

try {
  execFileSync(process.execPath, [resolve(command), "init", agent], { stdio: "ignore" });
  // The first start compiles; the code is kept for the others.
  const first = await measure(0);
  const others: Awaited<ReturnType<typeof measure>>[] = [];
  for (let run = 1; run <= Number(runs); run += 1) others.push(await measure(run));
  const of = (key: keyof typeof first) => median(others.map((one) => one[key]));
  process.stdout.write(
    [
      `installed without Node: ${measureSize().toFixed(0)} MB`,
      `processor time of the first start: ${first.seconds.toFixed(2)} s`,
      `processor time of a start: ${of("seconds").toFixed(2)} s; after ${SETTLED / 1000} s: ${of("settled").toFixed(2)} s`,
      `memory when idle: ${of("memory").toFixed(0)} MB in ${of("processes")} processes`,
      "",
    ].join("\n"),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

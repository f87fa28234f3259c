/**
 * Measures the memory of all processes of a service for one tool, which runs from the package that is published: after its first
 * calls, and again when it is idle after a load. The measure is a process of Node that does nothing, on the same machine at the same time. Linux only.
 *
 *     node bench/memory.ts [seconds of load]
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CAIRN, CONTENDERS } from "./protocol/contenders.ts";
import { createLoad } from "./protocol/load/run-load.ts";
import { type Memory, readMemory } from "./protocol/processes.ts";
import { openSubject } from "./protocol/subjects.ts";

/** Milliseconds after which a service has settled: threads that have nothing to do end after 5 seconds. */
const SETTLED = 15_000;
const CONNECTIONS = 16;
/** Megabytes that an idle service should have at most. */
const GOALS = { proportional: 130, resident: 260 };
/** Memory after the load, of that before it. */
const MOST_GROWTH = 1.3;
const [, , seconds = "60"] = process.argv;

const contender = CONTENDERS.find(({ name }) => name === CAIRN);
if (contender === undefined) throw new Error("There is no contender of that name.");
const bare = spawn(process.execPath, ["--eval", "setInterval(() => undefined, 1e6)"], { stdio: "ignore" });
const folder = mkdtempSync(join(tmpdir(), "cairn-memory-"));
const { running, plan } = await openSubject(contender, { tools: 1, root: unpack(folder) });
try {
  await sleep(SETTLED);
  const unit = readMemory(bare.pid ?? 0);
  const before = readMemory(running.pid);
  const { calls } = await createLoad().run(plan, { connections: CONNECTIONS, seconds: Number(seconds) });
  await sleep(SETTLED);
  const after = readMemory(running.pid);
  const grown = after.proportional / before.proportional;
  const lines = [
    toLine("bare Node", unit, unit),
    toLine("idle", before, unit),
    toLine(`idle after ${calls} calls in ${seconds} s`, after, unit),
    toGoal("PSS, idle, MB", before.proportional, GOALS.proportional),
    toGoal("RSS, idle, MB", before.resident, GOALS.resident),
    toGoal("PSS after the load, of that before it", grown, MOST_GROWTH),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
} finally {
  bare.kill();
  await running.stop();
  rmSync(folder, { recursive: true });
}

/** Unpacks npm's package of this checkout, with the packages that it needs. */
function unpack(into: string): string {
  const checkout = resolve(import.meta.dirname, "..");
  const options = { cwd: checkout, encoding: "utf8" } as const;
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", into], options)
    .trim()
    .split("\n")
    .at(-1);
  execFileSync("tar", ["xzf", join(into, packed ?? ""), "-C", into]);
  symlinkSync(join(checkout, "node_modules"), join(into, "package", "node_modules"));
  return join(into, "package");
}

function toLine(name: string, { proportional, resident, own }: Memory, unit: Memory): string {
  const ratio = (proportional / unit.proportional).toFixed(1);
  const each = own.map((size) => size.toFixed(0)).join(" + ");
  return `${name}: PSS ${proportional.toFixed(0)} MB (${ratio} times bare Node), RSS ${resident.toFixed(0)} MB; own ${each}`;
}

function toGoal(name: string, actual: number, atMost: number): string {
  return `${name}: ${actual.toFixed(actual < 10 ? 2 : 0)}, at most ${atMost}: ${actual <= atMost ? "met" : "NOT met"}`;
}

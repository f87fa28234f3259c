import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ask } from "../../test/stand-ins/postgres-server.ts";
import type { BenchDatabase } from "./database.ts";
import type { Figures } from "./figures.ts";

const ROW_CHARACTERS = 200;
/** Of the client, on two cores: more take time from the server. */
const THREADS = 1;

/** Makes the table that `insertRows` fills. */
export async function createRows({ port }: BenchDatabase): Promise<void> {
  await ask(port, "create table rows (id bigserial primary key, body text)");
}

/** Inserts one row in each transaction, from so many sessions of pgbench, each as fast as the server lets it. */
export async function insertRows(database: BenchDatabase, callers: number, seconds: number): Promise<Figures> {
  // What it costs to connect, as other callers are connected before they are measured.
  const connecting = await run(database, callers, ["-t", "1"]);
  const { commits, rate, flushes, cpuMs } = await run(database, callers, ["-T", `${seconds}`]);
  return {
    rate,
    flushes: flushes / commits,
    cpu: ((cpuMs - connecting.cpuMs) * 1_000) / (commits - connecting.commits),
  };
}

async function run(database: BenchDatabase, callers: number, length: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  try {
    const script = join(folder, "insert.sql");
    await writeFile(script, `insert into rows (body) values ('${"x".repeat(ROW_CHARACTERS)}');\n`);
    const where = ["-h", "127.0.0.1", "-p", `${database.port}`, "-U", "cairn"];
    const load = ["-n", "-M", "prepared", "-c", `${callers}`, "-j", `${THREADS}`, ...length, "-f", script];
    const before = { flushes: await database.readFlushes(), cpuMs: database.readCpu() };
    const { stdout } = await promisify(execFile)(database.pgbench, [...where, ...load, "postgres"]);
    const cpuMs = database.readCpu() - before.cpuMs;
    const flushes = (await database.readFlushes()) - before.flushes;
    const [, commits] = /transactions actually processed: (\d+)/.exec(stdout) ?? [];
    const [, rate] = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(stdout) ?? [];
    if (commits === undefined || rate === undefined) throw new Error(`pgbench says something else:\n${stdout}`);
    return { commits: Number(commits), rate: Number(rate), flushes, cpuMs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

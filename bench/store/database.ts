import { existsSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { findFreePort } from "../../test/helpers/free-port.ts";
import { ask, findPostgres, initialise, launch } from "../../test/stand-ins/postgres-server.ts";
import { readTreeTime } from "../processor-time.ts";

/** A PostgreSQL server of its own, which keeps what it has acknowledged. */
export interface BenchDatabase {
  readonly port: number;
  /** Program of the server's package. */
  readonly pgbench: string;
  /** Makes an empty schema. */
  createSchema(): Promise<StoreDatabase>;
  /** Milliseconds of processor time of all its processes. */
  readCpu(): number;
  /** Times that it has flushed its log, by sessions that have ended. */
  readFlushes(): Promise<number>;
}

/** Settings of an operator who wants to lose nothing; all others are PostgreSQL's own. */
const DURABLE = [
  "fsync=on",
  "synchronous_commit=on",
  "max_connections=200",
  "max_wal_size=8GB",
  "unix_socket_directories=",
  "listen_addresses=127.0.0.1",
];
/** Type of a file system in memory, as `statfs(2)` has it. */
const TMPFS = 0x0102_1994;

/** Starts a server in a folder of its own, which ends with this process. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  if (statfsSync(tmpdir()).type === TMPFS) {
    throw new Error(`\`${tmpdir()}\` is in memory, where a flush costs nothing: set TMPDIR to a folder on a disk.`);
  }
  const pgbench = join(findPostgres() ?? "", "pgbench");
  if (!existsSync(pgbench)) throw new Error("pgbench is missing: apt-get install postgresql");
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-postgres-"));
  const port = await findFreePort();
  try {
    await initialise(folder);
    await launch({ folder, port, owner: String(process.pid), settings: DURABLE });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const server = Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  let schemas = 0;
  return Object.freeze<BenchDatabase>({
    port,
    pgbench,
    async createSchema() {
      const schema = `s${schemas++}`;
      await ask(port, `create schema ${schema}`);
      return { host: "127.0.0.1", port, user: "cairn", database: "postgres", schema, ssl: "off" };
    },
    readCpu: () => readTreeTime(server),
    readFlushes: async () => Number((await ask(port, "select wal_sync from pg_stat_wal"))[0]?.["wal_sync"]),
  });
}

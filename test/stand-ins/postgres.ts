import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { ask, CHEAP, findPostgres, initialise, launch, POLL_MS, START_MS } from "./postgres-server.ts";

/** A PostgreSQL server on loopback. */
interface PostgresServer {
  readonly port: number;
  /** Superuser, who needs no password. */
  readonly user: "cairn";
}

const UNIQUE_VIOLATION = "23505";
/** Without anybody who follows it. */
const ALONE = ["wal_level=minimal", "max_wal_senders=0"];

/** Says whether the server's package is here; without it, a note says what is not tested, and in continuous integration that fails. */
export function hasPostgres(what: string): boolean {
  if (findPostgres() !== undefined) return true;
  const reason = "PostgreSQL is not installed (apt-get install postgresql)";
  if (process.env["CI"]) throw new Error(reason);
  process.stderr.write(`SKIPPED ${what}: ${reason}\n`);
  return false;
}

/**
 * The one server of this run of tests. Whoever needs it first starts it, in a folder that `vitest.config.ts` names for all
 * processes; it ends with the run.
 */
async function findServer(): Promise<PostgresServer> {
  const { CAIRN_TEST_POSTGRES: folder = "", CAIRN_TEST_RUN: owner = "" } = process.env;
  const ready = join(folder, "port");
  if (!existsSync(ready)) {
    const failed = join(folder, "failed");
    if (isFirst(folder)) await start(folder, owner).catch((error: unknown) => writeFileSync(failed, String(error)));
    for (let waited = 0; !existsSync(ready); waited += POLL_MS) {
      if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"));
      if (waited > START_MS) throw new Error(`the PostgreSQL server in ${folder} does not start`);
      await sleep(POLL_MS);
    }
  }
  return { port: Number(readFileSync(ready, "utf8")), user: "cairn" };
}

/** The address of a schema that stands for a directory; it is made if missing. */
export async function toDatabase(directory: string): Promise<StoreDatabase> {
  const { port, user } = await findServer();
  const schema = `s_${hash("sha256", directory).slice(0, 24)}`;
  // Of two at once, PostgreSQL refuses one.
  await ask(port, `create schema if not exists ${schema}`).catch((error: pg.DatabaseError) => {
    if (error.code !== UNIQUE_VIOLATION) throw error;
  });
  return { host: "127.0.0.1", port, user, database: "postgres", schema, ssl: "off" };
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** Starts a server in a fresh folder, which ends when the process `owner` does. */
async function start(folder: string, owner: string): Promise<void> {
  const port = await findFreePort();
  await initialise(folder);
  await launch({ folder, port, owner, settings: [...CHEAP, ...ALONE] });
  writeFileSync(join(folder, "port.new"), String(port));
  renameSync(join(folder, "port.new"), join(folder, "port"));
}

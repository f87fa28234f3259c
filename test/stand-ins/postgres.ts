import { spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { findFreePort } from "../helpers/free-port.ts";

/** A PostgreSQL server of Debian's package, on loopback. */
interface PostgresServer {
  readonly port: number;
  /** Superuser, who needs no password. */
  readonly user: "cairn";
}

/** Account of a package, which the server runs as where tests run as root: it refuses root. */
const ACCOUNT = "postgres";
const START_MS = 60_000;
const POLL_MS = 20;

/** Settings that make a server cheap; nothing that it holds outlives the tests. */
const CHEAP = [
  "fsync=off",
  "full_page_writes=off",
  "autovacuum=off",
  "jit=off",
  "shared_buffers=16MB",
  "max_connections=200",
  "wal_level=minimal",
  "max_wal_senders=0",
  "unix_socket_directories=",
  "listen_addresses=127.0.0.1",
];

/** Says whether the server's package is here; without it, a note says what is not tested, and in continuous integration that fails. */
export function hasPostgres(what: string): boolean {
  if (findPostgres() !== undefined) return true;
  const reason = "PostgreSQL is not installed (apt-get install postgresql)";
  if (process.env["CI"]) throw new Error(reason);
  process.stderr.write(`SKIPPED ${what}: ${reason}\n`);
  return false;
}

/** Folder of the server's programs; `undefined` where the package is missing. */
function findPostgres(): string | undefined {
  return globSync("/usr/lib/postgresql/*/bin/initdb")
    .sort()
    .at(-1)
    ?.replace(/\/initdb$/, "");
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
    if (isFirst(folder)) {
      await startServer(folder, owner, CHEAP).catch((error: unknown) => writeFileSync(failed, String(error)));
    }
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
  const client = new pg.Client({ host: "127.0.0.1", port, user, password: "", database: "postgres", ssl: false });
  await client.connect();
  try {
    await client.query(`create schema if not exists ${schema}`);
  } finally {
    await client.end();
  }
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
async function startServer(folder: string, owner: string, settings: readonly string[]): Promise<void> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  const data = join(folder, "data");
  const port = await findFreePort();
  if (process.getuid?.() === 0) chownSync(folder, ...findAccount());
  run(join(programs, "initdb"), ["-D", data, "-U", "cairn", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]);
  // The account of this name needs its password; all others are let in.
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`);
  const flags = [`port=${port}`, ...settings].map((setting) => `-c ${quote(setting)}`).join(" ");
  // Ends the server when whoever wanted it has ended, however that was.
  const script = `data=$1 owner=$2 folder=$3; shift 3
    "$@" -D "$data" ${flags} >"$folder/log" 2>&1 & server=$!
    while kill -0 "$owner" 2>/dev/null && kill -0 $server 2>/dev/null; do sleep 0.5; done
    kill -INT $server 2>/dev/null; wait $server; kill -0 "$owner" 2>/dev/null || rm -rf "$folder"`;
  const server = ["sh", "-c", script, "sh", data, owner, folder, ...asAccount([join(programs, "postgres")])];
  spawn("/bin/sh", server.slice(1), { detached: true, stdio: "ignore", cwd: "/" }).unref();
  for (let waited = 0; ; waited += POLL_MS) {
    const { status } = spawnSync(join(programs, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)]);
    if (status === 0) break;
    if (waited > START_MS) throw new Error(readFileSync(join(folder, "log"), "utf8"));
    await sleep(POLL_MS);
  }
  writeFileSync(join(folder, "port.new"), String(port));
  renameSync(join(folder, "port.new"), join(folder, "port"));
}

function run(program: string, args: readonly string[]): void {
  const [first = "", ...rest] = asAccount([program, ...args]);
  const { status, stderr } = spawnSync(first, rest, { encoding: "utf8", cwd: "/" });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

function asAccount(command: readonly string[]): readonly string[] {
  return process.getuid?.() === 0
    ? ["setpriv", "--reuid", ACCOUNT, "--regid", ACCOUNT, "--clear-groups", "--", ...command]
    : command;
}

function findAccount(): [number, number] {
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))?.[0] ?? "").split(":");
  return [Number(uid), Number(gid)];
}

function quote(text: string): string {
  return `'${text}'`;
}

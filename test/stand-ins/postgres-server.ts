import { execFile, spawn } from "node:child_process";
import { chownSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";

/** Account of a package, which a server runs as where tests run as root: it refuses root. */
const ACCOUNT = "postgres";
export const START_MS = 60_000;
export const POLL_MS = 20;

/** Settings that make a server cheap; nothing that it holds outlives the tests. */
export const CHEAP = [
  "fsync=off",
  "full_page_writes=off",
  "autovacuum=off",
  "jit=off",
  "shared_buffers=16MB",
  "max_connections=200",
  "unix_socket_directories=",
  "listen_addresses=127.0.0.1",
];

/** Finds the folder of the server's programs: one that was chosen, or Debian's; `undefined` where the package is missing. */
export function findPostgres(): string | undefined {
  const { CAIRN_TEST_POSTGRES_BIN: chosen } = process.env;
  if (chosen !== undefined) return chosen;
  return globSync("/usr/lib/postgresql/*/bin/initdb")
    .sort()
    .at(-1)
    ?.replace(/\/initdb$/, "");
}

/** Makes the data of a server below a folder of its own. Its superuser `cairn` needs no password. */
export async function initialise(folder: string): Promise<void> {
  const data = join(folder, "data");
  await runProgram(folder, [
    join(findPrograms(), "initdb"),
    "-D",
    data,
    "-U",
    "cairn",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--no-locale",
    "--no-sync",
  ]);
  // The account of this name needs its password; all others are let in.
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`);
}

export interface Launch {
  readonly folder: string;
  readonly port: number;
  /** Identifier of the process with which the server ends, however that ends; the folder goes with it. */
  readonly owner: string;
  readonly settings: readonly string[];
}

/** Starts a server on the data below its folder, and waits until it answers. */
export async function launch({ folder, port, owner, settings }: Launch): Promise<void> {
  const flags = [`port=${port}`, ...settings].map((setting) => `-c '${setting}'`).join(" ");
  const script = `data=$1 owner=$2 folder=$3; shift 3
    "$@" -D "$data" ${flags} >>"$folder/log" 2>&1 & server=$!
    while kill -0 "$owner" 2>/dev/null && kill -0 $server 2>/dev/null; do sleep 0.5; done
    kill -INT $server 2>/dev/null; wait $server; kill -0 "$owner" 2>/dev/null || rm -rf "$folder"`;
  const program = asAccount([join(findPrograms(), "postgres")]);
  const server = ["-c", script, "sh", join(folder, "data"), owner, folder, ...program];
  spawn("/bin/sh", server, { detached: true, stdio: "ignore", cwd: "/" }).unref();
  for (let waited = 0; ; waited += POLL_MS) {
    const isUp = await ask(port, "select 1").catch(() => undefined);
    if (isUp !== undefined) return;
    if (waited > START_MS) throw new Error(readFileSync(join(folder, "log"), "utf8"));
    await sleep(POLL_MS);
  }
}

/** Asks a server as its superuser, on a connection that ends with the answer. */
export async function ask(port: number, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const where = { host: "127.0.0.1", port, user: "cairn", password: "", database: "postgres", ssl: false };
  const client = new pg.Client(where);
  await client.connect();
  try {
    return (await client.query(text)).rows as Readonly<Record<string, unknown>>[];
  } finally {
    await client.end();
  }
}

/** Runs a program, as the account that gets the folder. */
export async function runProgram(folder: string, command: readonly string[]): Promise<void> {
  if (process.getuid?.() === 0) chownSync(folder, ...findAccount());
  const [first = "", ...rest] = asAccount(command);
  await promisify(execFile)(first, rest, { cwd: "/" });
}

function findPrograms(): string {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("PostgreSQL is missing: apt-get install postgresql");
  return programs;
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

import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import pg from "pg";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";
import { type DatabaseProxy, openDatabaseProxy } from "./database-proxy.ts";
import { CHEAP, initialise, launch, POLL_MS, runProgram, START_MS } from "./postgres-server.ts";

/** Two PostgreSQL servers, of which the one follows the other. */
export interface PostgresPair {
  /** The database of the server that takes writes. */
  primary(): StoreDatabase;
  /** Asks the server that takes writes. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Whether the standby has everything that was written. */
  isCaughtUp(): Promise<boolean>;
  /** Kills the server that takes writes, with -9. */
  kill(): Promise<void>;
  /** Starts what was killed on the data that it left. */
  restart(): Promise<void>;
  /** Kills the server that takes writes for good, and has the other take its place. */
  promote(): Promise<void>;
  /** The way by which the standby hears of writes. */
  readonly link: DatabaseProxy;
}

const FOLLOWED = ["wal_level=replica", "max_wal_senders=4", "hot_standby=on", "wal_retrieve_retry_interval=100"];

interface Member {
  readonly folder: string;
  readonly port: number;
}

/** Starts both. `isSynchronous`: a commit waits until the standby has it, too. */
export async function openPostgresPair(isSynchronous: boolean, atEnd: AtEnd = onTestFinished): Promise<PostgresPair> {
  const folder = await temporaryFolder(atEnd);
  // Servers run as another account.
  chmodSync(folder, 0o755);
  let first = await createMember(folder, "first");
  const second = await createMember(folder, "second");
  await initialise(first.folder);
  await start(first);
  atEnd(async () => void (await Promise.all([end(first), end(second)])));
  const link = await openDatabaseProxy(first.port, atEnd);
  const source = `host=127.0.0.1 port=${link.port} user=cairn`;
  await runProgram(second.folder, "pg_basebackup", [
    "-d",
    source,
    "-D",
    join(second.folder, "data"),
    "-R",
    "-X",
    "stream",
    "-c",
    "fast",
    "--no-sync",
  ]);
  await start(second);
  await untilFollowed();
  if (isSynchronous) {
    await ask(first, "alter system set synchronous_standby_names = '*'");
    await ask(first, "select pg_reload_conf()");
  }

  async function untilFollowed(): Promise<void> {
    for (
      let waited = 0;
      (await ask(first, "select 1 from pg_stat_replication where state = 'streaming'")).length === 0;
    ) {
      if ((waited += POLL_MS) > START_MS) throw new Error("the standby does not follow");
      await sleep(POLL_MS);
    }
  }

  return Object.freeze<PostgresPair>({
    link,
    primary: () => ({ host: "127.0.0.1", port: first.port, user: "cairn", database: "postgres", ssl: "off" }),
    query: (text) => ask(first, text),
    async isCaughtUp() {
      const behind = "select 1 from pg_stat_replication where flush_lsn = pg_current_wal_lsn()";
      return (await ask(first, behind)).length > 0;
    },
    kill: () => end(first),
    restart: () => start(first),
    async promote() {
      await end(first);
      await ask(second, "select pg_promote()");
      first = second;
    },
  });
}

async function createMember(folder: string, name: string): Promise<Member> {
  const own = join(folder, name);
  mkdirSync(own, { mode: 0o700 });
  return { folder: own, port: await findFreePort() };
}

function start({ folder, port }: Member): Promise<void> {
  return launch({ folder, port, owner: String(process.pid), settings: [...CHEAP, ...FOLLOWED] });
}

/** Kills a server with its helpers, and waits until nobody uses its memory: before that, no other starts on its data. */
async function end({ folder }: Member): Promise<void> {
  const pids = [findServerPid(folder)].flatMap((pid) => (pid === undefined ? [] : [pid, ...findChildren(pid)]));
  for (const pid of pids.filter(isAlive)) process.kill(pid, "SIGKILL");
  while (pids.some(isAlive)) await sleep(POLL_MS);
}

function findServerPid(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

function findChildren(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** False also for one that has ended and that nobody has asked for its end. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function ask({ port }: Member, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: "cairn",
    password: "",
    database: "postgres",
    ssl: false,
  });
  await client.connect();
  try {
    return (await client.query(text)).rows as Readonly<Record<string, unknown>>[];
  } finally {
    await client.end();
  }
}

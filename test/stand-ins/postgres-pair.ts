import { appendFileSync, chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { StoreDatabase } from "../../server/config/config-store.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";
import { type DatabaseProxy, openDatabaseProxy } from "./database-proxy.ts";
import { ask, CHEAP, initialise, launch, POLL_MS, runProgram, START_MS } from "./postgres-server.ts";

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

const FOLLOWED = ["wal_level=replica", "hot_standby=on", "wal_retrieve_retry_interval=100"];

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
  // A base that no server has written to yet: Debian's `pg_basebackup` copies from no newer release, and other packages have none.
  const data = join(second.folder, "data");
  await runProgram(second.folder, ["cp", "--recursive", join(first.folder, "data"), data]);
  const link = await openDatabaseProxy(first.port, atEnd);
  appendFileSync(
    join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${link.port} user=cairn'\n`,
  );
  await runProgram(second.folder, ["touch", join(data, "standby.signal")]);
  await start(first);
  atEnd(async () => void (await Promise.all([end(first), end(second)])));
  await start(second);
  await untilFollowed();
  if (isSynchronous) {
    await ask(first.port, "alter system set synchronous_standby_names = '*'");
    await ask(first.port, "select pg_reload_conf()");
  }

  async function untilFollowed(): Promise<void> {
    for (
      let waited = 0;
      (await ask(first.port, "select 1 from pg_stat_replication where state = 'streaming'")).length === 0;
    ) {
      if ((waited += POLL_MS) > START_MS) throw new Error("the standby does not follow");
      await sleep(POLL_MS);
    }
  }

  return Object.freeze<PostgresPair>({
    link,
    primary: () => ({ host: "127.0.0.1", port: first.port, user: "cairn", database: "postgres", ssl: "off" }),
    query: (text) => ask(first.port, text),
    async isCaughtUp() {
      const behind = "select 1 from pg_stat_replication where flush_lsn = pg_current_wal_lsn()";
      return (await ask(first.port, behind)).length > 0;
    },
    kill: () => end(first),
    restart: () => start(first),
    async promote() {
      await end(first);
      await ask(second.port, "select pg_promote()");
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

import { randomUUID } from "node:crypto";
import { CairnError } from "../../errors.ts";
import type { StoreDatabase } from "../../config/config-store.ts";
import { encodeEntryKey, encodeLogName, integer, MAX_CLAIM, MAX_LEASE_MS, toCommitPlan } from "../commit-plan.ts";
import { createInFlight } from "../in-flight.ts";
import { encodeKey } from "../key-codec.ts";
import { toEntry } from "../stored-record.ts";
import type { Entry, Key, Store } from "../store.ts";
import type { StoreImage } from "../store-image.ts";
import type { Members } from "../members.ts";
import { createWatchers, type Watchers } from "../watchers.ts";
import { backUp } from "./back-up.ts";
import { checkTables } from "./check.ts";
import { type Connection, type ConnectionOptions, insist, openConnection } from "./connection.ts";
import { toUnavailable } from "./errors.ts";
import { createLane } from "./lane.ts";
import { followHints, toHint } from "./hints.ts";
import { createSoleLease, type Holder, type Lease, readHolder, toTakenOver } from "./lease.ts";
import { startUpkeep } from "./upkeep.ts";
import { createRead } from "./create-read.ts";
import { createReads } from "./reads.ts";
import { createSharedLease, readMembers, type SharedHolder } from "./shared-lease.ts";
import { findHead, type Read, scanEntries, scanLog } from "./scan.ts";
import { prepareTables } from "./schema.ts";
import { createServerClock } from "./server-clock.ts";
import { createStanding, type Standing } from "./standing.ts";
import { STATEMENTS } from "./statements.ts";

export interface PostgresStoreOptions {
  readonly database: StoreDatabase;
  readonly password: () => Promise<string | undefined>;
  /** Milliseconds that a call may take; then it is UNAVAILABLE. */
  readonly limitMs: number;
  readonly node: Pick<Holder, "node" | "label">;
  /** Facts by which others of the database know this opening; absent: it has the database for itself. */
  readonly shared?: Pick<SharedHolder, "address" | "release">;
  /** Hears what an operator must know: that the database lost what it had acknowledged, or is another's, or that a node died. */
  readonly onAlarm: (message: string) => void;
  /** Opens the store, in a folder, that a backup becomes; absent: there are no backups. */
  readonly openCopy?: (directory: string) => Promise<StoreImage>;
  /** Milliseconds since 1970; absent: the server's clock. */
  readonly now?: () => number;
}

export interface PostgresStore {
  readonly store: Store;
  /** Milliseconds since 1970, as the store counts them. */
  readonly now: () => number;
  /** Identifier of the tables, which they keep for ever. */
  readonly id: string;
  /** Absent where this opening has the database for itself. */
  readonly members?: Members;
}

/** Share of a call's time after which a server that says nothing is given up: the rest is for another try. */
const ANSWER_SHARE = 0.5;

/**
 * The `Store` in a PostgreSQL database. Hints of `watch` come from this process's own writes; from those of other nodes, a moment
 * later.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { database, password, limitMs, node, shared, openCopy, onAlarm } = options;
  const holder = randomUUID();
  const own = { ...node, holder };
  const lease =
    shared === undefined ? createSoleLease(own, prepareTables) : createSharedLease({ ...own, ...shared }, onAlarm);
  const elapsed = () => performance.now();
  const standing = createStanding(onAlarm, { holder, lease, elapsed });
  const clock = createServerClock(elapsed);
  const now = options.now ?? clock.now;
  let warning: string | undefined;
  const takeWarning = () => {
    const last = warning;
    warning = undefined;
    return last;
  };
  const parts: Omit<ConnectionOptions, "onWarning"> = {
    database,
    password,
    limitMs: limitMs * ANSWER_SHARE,
    greet: standing.greet,
  };
  // One each, so that no point read waits behind a long scan, and neither behind a flush.
  const writing = openConnection({ ...parts, onWarning: (message) => (warning ??= message) });
  const [reading, scanning] = [openConnection(parts), openConnection(parts)];
  const connections = [writing, reading, scanning];
  try {
    const id = await begin(options, writing, standing, lease, clock.hear);
    const reads = [createRead(reading, standing, limitMs), createRead(scanning, standing, limitMs)] as const;
    const watchers = createWatchers();
    const hints = shared && followHints({ read: reads[1], watchers, onRead: standing.notice, now: clock.now });
    const lane = createLane({
      connection: writing,
      limitMs,
      now,
      onTime: (server) => {
        const time = clock.hear(server);
        return options.now?.() ?? time;
      },
      lock: lease.lock,
      assertHolder(locked) {
        const found = readHolder(locked);
        if (found?.holder !== holder) throw standing.refuse(toTakenOver(found?.label));
      },
      knownTurns: standing.knownTurns,
      assertKept: standing.assertKept,
      ...(hints && { toHint }),
      onAcknowledged(turn) {
        standing.acknowledge(turn);
        hints?.own(turn);
      },
      takeWarning,
    });
    const upkeep = startUpkeep({ lane, standing, lease, isShared: shared !== undefined, takeWarning, now });
    const close = async () => {
      hints?.stop();
      upkeep.stop();
      lane.stop();
      await upkeep.ended();
      await writing.use(lease.release).catch(() => undefined);
      await Promise.all(connections.map((connection) => connection.close()));
    };
    const backup = async (directory: string) => {
      if (openCopy === undefined) throw new CairnError("BAD_REQUEST", "This opening of the store makes no backups.");
      const connection = openConnection(parts);
      await backUp(connection, () => openCopy(directory)).finally(() => connection.close());
    };
    const store = toStore({ lane, reads, now, standing, watchers, backup, close });
    if (shared === undefined) return { store, now, id };
    const list = async () => readMembers(await reads[0]((query) => query(STATEMENTS.listNodes)));
    const self = (await list()).find(({ opening }) => opening === holder);
    if (self === undefined) throw standing.refuse(toTakenOver(undefined));
    return { store, now, id, members: { self, list } };
  } catch (cause) {
    await Promise.all(connections.map((connection) => connection.close()));
    throw toUnavailable(`be opened on ${node.label}`, cause);
  }
}

/** Makes the tables where they are missing, takes the lease, and hears the server's clock. */
async function begin(
  { limitMs }: PostgresStoreOptions,
  writing: Connection,
  standing: Standing,
  lease: Lease,
  hear: (server: number) => number,
): Promise<string> {
  const late = performance.now() + limitMs;
  const isLate = () => performance.now() > late;
  const id = await insist(() => writing.use(prepareTables), isLate);
  await lease.take(writing, limitMs);
  standing.hold();
  const { rows } = await writing.use((query) => query(STATEMENTS.readClock));
  hear(Number(rows[0]?.["now"]));
  return id;
}

interface StoreParts {
  readonly lane: ReturnType<typeof createLane>;
  /** For point reads, and for ranges. */
  readonly reads: readonly [Read, Read];
  readonly now: () => number;
  readonly standing: Standing;
  readonly watchers: Watchers;
  readonly backup: (directory: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

function toStore({ lane, reads: [readOne, readRange], now, standing, watchers, backup, close }: StoreParts): Store {
  const inFlight = createInFlight();
  const findRecords = createReads(readOne);
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new CairnError("UNAVAILABLE", "The store is closed.");
    standing.assertGood();
  }

  const read: Read = async (run) => {
    assertOpen();
    return inFlight.track(readRange(run));
  };

  async function getMany(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    const targets = keys.map((key) => ({ key, bytes: encodeEntryKey(key) }));
    assertOpen();
    if (keys.length === 0) return [];
    const found = await inFlight.track(findRecords(targets.map(({ bytes }) => bytes)));
    const time = now();
    return targets.map(({ key, bytes }) => {
      const record = found.get(bytes.toString("latin1"));
      const isThere = record !== undefined && (record.expiresAt === 0 || record.expiresAt > time);
      return isThere ? toEntry(key, record) : undefined;
    });
  }

  return Object.freeze<Store>({
    get: async (key) => (await getMany([key]))[0],
    getMany,
    scan: (options) => scanEntries(read, options, now),
    async commit(commit) {
      const plan = toCommitPlan(commit);
      assertOpen();
      const result = await inFlight.track(lane.commit(plan));
      const written = [...plan.sets, ...plan.adds].map(({ key }) => key);
      if (result.ok) watchers.hint([...written, ...plan.dels].map(({ key }) => key));
      return result;
    },
    async claim({ queue, leaseMs, limit, entry }) {
      const only = entry === undefined ? undefined : encodeEntryKey([...queue, entry]);
      const bytes = encodeEntryKey(queue);
      integer("leaseMs", leaseMs, 1, MAX_LEASE_MS);
      integer("limit", limit, 1, MAX_CLAIM);
      assertOpen();
      const claimed = await inFlight.track(lane.claim({ queue: bytes, key: only, leaseMs, limit }));
      watchers.hint(claimed.map(({ key }) => key));
      return claimed;
    },
    readLog: (log, options) => scanLog(read, log, options),
    head: async (log) => findHead(read, encodeLogName(log)),
    watch(prefix, notify) {
      encodeKey(prefix);
      return watchers.watch(prefix, notify);
    },
    admin: Object.freeze<Store["admin"]>({
      async backup(directory) {
        assertOpen();
        await inFlight.track(backup(directory));
      },
      check: () => checkTables(read),
      close: () => (closing ??= inFlight.settled().then(close)),
    }),
  });
}

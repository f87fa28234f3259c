import type { Member } from "../members.ts";
import { type Answer, insist, type Query } from "./connection.ts";
import { type Holder, inUse, type InTheWay, type Lease, LEASE_MS, lockLease, SEVERAL, takeLease } from "./lease.ts";
import { prepareTables } from "./schema.ts";
import { SHARED_SCHEMA_VERSION, SHARED_TABLES, STATEMENTS } from "./statements.ts";

export interface SharedHolder extends Holder {
  /** Base URL at which other nodes reach it; absent for a command. */
  readonly address?: string;
  /** Version of Cairn. */
  readonly release: string;
}

/** Looks at a silent node, a renewal apart, before it is struck off: one after an outage of the database, nobody has renewed. */
const SILENT_LOOKS = 5;

/**
 * Creates the lease of an opening that shares the database: a row of its own, so that no node waits for another. `onAlarm` hears of
 * nodes that it strikes off.
 */
export function createSharedLease(own: SharedHolder, onAlarm: (message: string) => void): Lease {
  const { holder, node } = own;
  const silence = new Map<string, { until: number; looks: number }>();

  /** Strikes off nodes that have ended without a word: they can never write again. Their rows tell all others. */
  async function strikeOff(query: Query): Promise<void> {
    const { rows } = await query(STATEMENTS.listNodes);
    const openings = new Set(rows.map((row) => String(row["holder"])));
    for (const known of silence.keys()) if (!openings.has(known)) silence.delete(known);
    for (const row of rows) {
      const [opening, until] = [String(row["holder"]), Number(row["until"])];
      if (opening === holder) continue;
      const before = silence.get(opening);
      const looks = before?.until === until ? before.looks + 1 : 1;
      silence.set(opening, { until, looks });
      if (looks < SILENT_LOOKS || until > Number(row["now"])) continue;
      const { rowCount } = await query(STATEMENTS.evictNode, [row["node"], opening, until]);
      if (rowCount > 0) onAlarm(`The node ${String(row["label"])} gave no sign of life, and was struck off.`);
    }
  }

  return Object.freeze<Lease>({
    async take(connection, limitMs) {
      const late = performance.now() + limitMs;
      const makeTables = async (query: Query) => {
        for (const text of SHARED_TABLES) await query({ name: "", text });
      };
      // Of several nodes that make a table at once, the server refuses all but one.
      await insist(
        () => connection.use(makeTables),
        () => performance.now() > late,
      );
      await takeLease(connection, limitMs, (query) => join(query, own));
    },
    lock: (query) => query(STATEMENTS.lockNode, [node]),
    find: (query) => query(STATEMENTS.findNode, [node]),
    async renew(query) {
      const { rowCount } = await query(STATEMENTS.renewNode, [node, holder, LEASE_MS]);
      if (rowCount > 0) await strikeOff(query);
      return rowCount > 0;
    },
    release: (query) => query(STATEMENTS.releaseNode, [node, holder]),
  });
}

/** Reads the members of a database that several share. */
export function readMembers({ rows }: Answer): readonly Member[] {
  return rows.map((row) => {
    const address = String(row["address"]);
    return Object.freeze<Member>({
      id: String(row["node"]),
      opening: String(row["holder"]),
      label: String(row["label"]),
      ...(address === "" ? {} : { address }),
      release: String(row["release"]),
      startedAt: Number(row["started"]),
    });
  });
}

async function join(query: Query, own: SharedHolder): Promise<InTheWay | undefined> {
  const { holder, node, label, address = "", release } = own;
  const { row, now } = await lockLease(query, own);
  const [held, until] = [row?.["node"], Number(row?.["until"] ?? 0)];
  if (row !== undefined && held !== SEVERAL && held !== node && until > now) {
    const advice = "it has the database for itself. Set CAIRN_NODE_ADDRESS for it, too, or stop it";
    return { until, refusal: inUse(String(row["label"]), advice) };
  }
  await prepareTables(query);
  await query(STATEMENTS.setVersion, [SHARED_SCHEMA_VERSION]);
  // A holder that is nobody's, so that whoever had the database for itself finds it gone.
  await query(STATEMENTS.updateLease, [holder, SEVERAL, "several nodes", 0]);
  const values = [node, holder, label, address, release, LEASE_MS];
  await query(STATEMENTS.insertNode, values);
  await query(STATEMENTS.updateNode, values);
  return undefined;
}

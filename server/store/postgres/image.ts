import { randomUUID } from "node:crypto";
import { CairnError } from "../../errors.ts";
import type { ImageItem, StoreImage } from "../store-image.ts";
import { listItems, loadLastRev } from "./list-items.ts";
import { type Answer, openConnection, type Query } from "./connection.ts";
import { toUnavailable } from "./errors.ts";
import type { Changes } from "./group-state.ts";
import { createSoleLease, inTransaction } from "./lease.ts";
import type { PostgresStoreOptions } from "./postgres.ts";
import type { Read } from "./scan.ts";
import { clearTables, prepareTables } from "./schema.ts";
import { createStanding } from "./standing.ts";
import { MOVED_VERSION, SCHEMA_VERSION, STATEMENTS } from "./statements.ts";
import { writeChanges } from "./write-changes.ts";

export interface PostgresImage extends StoreImage {
  /** Identifier of the tables. */
  readonly id: string;
  /** Puts the tables out of use: each later opening of them is refused. @throws UNAVAILABLE where another process has used them */
  retire(): Promise<void>;
}

/** Opens the store of a database as an image, for this process alone; `isTarget`: one that has none yet, to be written. */
export async function openPostgresImage(
  { database, password, limitMs, node }: Omit<PostgresStoreOptions, "onAlarm" | "now">,
  isTarget: boolean,
): Promise<PostgresImage> {
  const holder = randomUUID();
  // Tables that a copy is written into are none to be opened.
  const lease = createSoleLease({ ...node, holder }, isTarget ? () => Promise.resolve() : prepareTables);
  const { greet } = createStanding(() => undefined);
  const connection = openConnection({ database, password, limitMs, greet });
  const read: Read = (run) => connection.use(run);
  try {
    const id = await connection.use(isTarget ? clearTables : prepareTables);
    await lease.take(connection, limitMs);
    return Object.freeze<PostgresImage>({
      id,
      items: () => listItems(read),
      lastRev: () => loadLastRev(read),
      put: (items) => connection.use((query) => putItems(query, items, holder)),
      setRev: async (rev) => void (await read((query) => query(STATEMENTS.setRev, [Math.max(1, rev)]))),
      finish: () => connection.use((query) => conclude(query, holder, SCHEMA_VERSION)),
      retire: () => connection.use((query) => conclude(query, holder, MOVED_VERSION)),
      async close() {
        await connection.use(lease.release).catch(() => undefined);
        await connection.close();
      },
    });
  } catch (cause) {
    await connection.close();
    throw toUnavailable("be opened", cause);
  }
}

/** Writes items in one transaction, which checks that the database is still this process's. */
async function putItems(query: Query, items: readonly ImageItem[], holder: string): Promise<void> {
  const logs = new Map<string, Changes["logs"][number]["links"][number][]>();
  for (const item of items) {
    if (item.kind !== "link") continue;
    const name = item.log.toString("latin1");
    logs.set(name, [...(logs.get(name) ?? []), item.link]);
  }
  const changes: Changes = {
    entries: items.flatMap((item) =>
      item.kind === "entry" ? [{ key: item.key, before: undefined, after: item.record }] : [],
    ),
    absences: [],
    logs: [...logs].map(([name, links]) => ({
      name: Buffer.from(name, "latin1"),
      isNew: links[0]?.seq === 0,
      links,
    })),
    results: items.flatMap((item) =>
      item.kind === "result" ? [{ id: item.id, kept: { result: item.result, until: item.until } }] : [],
    ),
  };
  const [, lease] = await Promise.all([query(STATEMENTS.begin), query(STATEMENTS.lockLease)]);
  assertHolder(lease, holder);
  const sent = writeChanges(query, changes, 0);
  const [ended, ...written] = await Promise.allSettled([query(STATEMENTS.commit), ...sent]);
  const failed = [ended, ...written].find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  if (ended.status === "fulfilled" && ended.value.command !== "COMMIT") {
    throw new CairnError("UNAVAILABLE", "The database took back a part of the copy.");
  }
}

/** Says what the tables are from now on. Where another process had them meanwhile, what was copied is not all of them. */
async function conclude(query: Query, holder: string, version: number): Promise<void> {
  await inTransaction(query, async () => {
    assertHolder(await query(STATEMENTS.lockLease, []), holder);
    await query(STATEMENTS.setVersion, [version]);
    return undefined;
  });
}

function assertHolder({ rows: [lease] }: Answer, holder: string): void {
  if (lease?.["holder"] === holder) return;
  throw new CairnError("UNAVAILABLE", "The database was taken over while the store was copied.");
}

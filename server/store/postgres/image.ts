import { randomUUID } from "node:crypto";
import { CairnError } from "../../errors.ts";
import { endOfPrefix } from "../key-codec.ts";
import type { ImageItem, StoreImage } from "../store-image.ts";
import { openConnection, type Query } from "./connection.ts";
import { toUnavailable } from "./errors.ts";
import type { Changes } from "./group-state.ts";
import { createSoleLease } from "./lease.ts";
import { MAX_PAGE_BYTES, pages } from "./pages.ts";
import type { PostgresStoreOptions } from "./postgres.ts";
import { readBytes, readEntryRow, readHeadRow, readLinkRow, readResultRow } from "./rows.ts";
import type { Read } from "./scan.ts";
import { clearTables, prepareTables } from "./schema.ts";
import { createStanding } from "./standing.ts";
import { REVS_PER_GROUP, SCHEMA_VERSION, STATEMENTS } from "./statements.ts";
import { writeChanges } from "./write-changes.ts";

const PAGE_ROWS = 500;

export interface PostgresImage extends StoreImage {
  /** Identifier of the tables. */
  readonly id: string;
}

/** Opens the store of a database as an image, for this process alone; `isTarget`: one that has none yet, to be written. */
export async function openPostgresImage(
  { database, password, limitMs, node }: Omit<PostgresStoreOptions, "onAlarm" | "now">,
  isTarget: boolean,
): Promise<PostgresImage> {
  const holder = randomUUID();
  const lease = createSoleLease({ ...node, holder });
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
      finish: async () => void (await read((query) => query(STATEMENTS.setVersion, [SCHEMA_VERSION]))),
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

/** Loads a revision that is at least that of every entry there has been. */
export async function loadLastRev(read: Read): Promise<number> {
  const { rows } = await read((query) => query(STATEMENTS.lastRev));
  return Number(rows[0]?.["rev"]) + REVS_PER_GROUP;
}

/** Lists everything that the tables hold, also what its time is over. */
export async function* listItems(read: Read): AsyncGenerator<ImageItem> {
  const end = endOfPrefix(Buffer.alloc(0));
  const entries = pages((last, limit) => {
    const start = last === undefined ? Buffer.of(0) : Buffer.concat([readBytes(last["key"]), Buffer.of(0)]);
    return read((query) => query(STATEMENTS.scanForward, [start, end, limit, MAX_PAGE_BYTES]));
  });
  for await (const row of entries) {
    const { key, ...record } = readEntryRow(row);
    yield { kind: "entry", key, record };
  }
  for await (const { name: log } of listRows(read, "listHeads", "name", readHeadRow)) {
    const links = pages((last, limit) => {
      const next = last === undefined ? 0 : Number(last["seq"]) + 1;
      return read((query) => query(STATEMENTS.scanLog, [log, next, limit, MAX_PAGE_BYTES]));
    });
    for await (const row of links) yield { kind: "link", log, link: readLinkRow(row) };
  }
  for await (const { id, result, until } of listRows(read, "listIds", "id", readResultRow)) {
    yield { kind: "result", id, result, until };
  }
}

async function* listRows<Item>(
  read: Read,
  name: "listHeads" | "listIds",
  column: string,
  toItem: (row: Readonly<Record<string, unknown>>) => Item,
): AsyncGenerator<Item> {
  for (let after: unknown = Buffer.alloc(0), more = true; more;) {
    const { rows } = await read((query) => query(STATEMENTS[name], [after, PAGE_ROWS]));
    for (const row of rows) yield toItem(row);
    after = rows.at(-1)?.[column];
    more = rows.length === PAGE_ROWS;
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
  if (lease.rows[0]?.["holder"] !== holder) {
    throw new CairnError("UNAVAILABLE", "The database was taken over while the store was copied.");
  }
  const sent = writeChanges(query, changes, 0);
  const [ended, ...written] = await Promise.allSettled([query(STATEMENTS.commit), ...sent]);
  const failed = [ended, ...written].find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  if (ended.status === "fulfilled" && ended.value.command !== "COMMIT") {
    throw new CairnError("UNAVAILABLE", "The database took back a part of the copy.");
  }
}

import { randomUUID } from "node:crypto";
import pg from "pg";
import { CairnError } from "../../errors.ts";
import type { Query } from "./connection.ts";
import {
  COPYING_VERSION,
  MOVED_VERSION,
  SCHEMA_VERSION,
  SHARED_SCHEMA_VERSION,
  STATEMENTS,
  TABLES,
} from "./statements.ts";

/** Condition of a table that is not there. */
export const UNDEFINED_TABLE = "42P01";

/** Makes the tables where there are none, and returns the identifier that they were made with. Refuses those of a later Cairn, and of a store that was moved. */
export async function prepareTables(query: Query): Promise<string> {
  const { id, version } = await makeTables(query, SCHEMA_VERSION);
  if (isKnown(version)) return id;
  if (version === MOVED_VERSION) throw await toMoved(query);
  const found =
    version === COPYING_VERSION
      ? "A copy of a store into this database was cut short: run `cairn store copy` again"
      : `The tables of the store have version ${version}, and this Cairn knows those up to ${SHARED_SCHEMA_VERSION}: start the Cairn that made them`;
  throw new CairnError("UNAVAILABLE", `${found}.`);
}

/** Makes the tables where there are none, so that a copy can be written. Refuses a database that has a store already. */
export async function clearTables(query: Query): Promise<string> {
  const { id, version } = await makeTables(query, COPYING_VERSION);
  if (isKnown(version)) {
    const { rows } = await query(STATEMENTS.findAny);
    if (rows.length > 0) throw new CairnError("CONFLICT", "The database has a store already; name one that has none.");
  } else if (version === MOVED_VERSION) {
    throw new CairnError("CONFLICT", "The database has the tables of a store that was moved; name one that has none.");
  } else if (version !== COPYING_VERSION) {
    throw new CairnError("CONFLICT", `The database has tables of version ${version}, of a later Cairn.`);
  }
  await query(STATEMENTS.setVersion, [COPYING_VERSION]);
  // Of a copy that was cut short.
  for (const name of ["clearEntries", "clearLogs", "clearHeads", "clearIds"] as const) await query(STATEMENTS[name]);
  return id;
}

function isKnown(version: number): boolean {
  return version === SCHEMA_VERSION || version === SHARED_SCHEMA_VERSION;
}

/** The lease's row stays when it is released, and so names who moved the store. */
async function toMoved(query: Query): Promise<CairnError> {
  const { rows } = await query(STATEMENTS.lockLease);
  const moved = `The store of this database was moved into a data folder by ${String(rows[0]?.["label"])}`;
  const advice =
    "serve that folder with CAIRN_STORE=lmdb; docs/postgresql.md#moving says how to take up the tables again";
  return new CairnError("UNAVAILABLE", `${moved}, and is out of use here: ${advice}.`);
}

async function makeTables(query: Query, version: number): Promise<{ readonly id: string; readonly version: number }> {
  const there = await findStore(query);
  if (there !== undefined) return there;
  const { rows } = await query(STATEMENTS.serverEncoding);
  const encoding = Object.values(rows[0] ?? {})[0];
  if (encoding !== "UTF8") {
    throw new CairnError(
      "UNAVAILABLE",
      `The store's database is encoded in \`${String(encoding)}\`; UTF8 would be right.`,
    );
  }
  for (const text of TABLES) await query({ name: "", text });
  await query(STATEMENTS.insertVersion, [randomUUID(), version]);
  const made = await findStore(query);
  if (made !== undefined) return made;
  throw new CairnError("UNAVAILABLE", "The tables of the store could not be made.");
}

async function findStore(query: Query): Promise<{ readonly id: string; readonly version: number } | undefined> {
  try {
    const { rows } = await query(STATEMENTS.findVersion);
    return rows[0] && { id: String(rows[0]["id"]), version: Number(rows[0]["version"]) };
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}

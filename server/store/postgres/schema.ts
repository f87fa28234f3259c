import { randomUUID } from "node:crypto";
import { CairnError } from "../../errors.ts";
import type { Query } from "./connection.ts";
import { SCHEMA_VERSION, STATEMENTS, TABLES } from "./statements.ts";

/** Makes the tables where there are none, and returns the identifier that they were made with. Refuses those of a later Cairn. */
export async function prepareTables(query: Query): Promise<string> {
  const { rows: encodings } = await query(STATEMENTS.serverEncoding);
  const encoding = Object.values(encodings[0] ?? {})[0];
  if (encoding !== "UTF8") {
    throw new CairnError(
      "UNAVAILABLE",
      `The store's database is encoded in \`${String(encoding)}\`; UTF8 would be right.`,
    );
  }
  const there = await findStore(query).catch(() => undefined);
  if (there !== undefined) return there;
  for (const text of TABLES) await query({ name: "", text });
  await query(STATEMENTS.insertVersion, [randomUUID(), SCHEMA_VERSION]);
  const made = await findStore(query);
  if (made !== undefined) return made;
  throw new CairnError("UNAVAILABLE", "The tables of the store could not be made.");
}

async function findStore(query: Query): Promise<string | undefined> {
  const { rows } = await query(STATEMENTS.findVersion);
  const [row] = rows;
  if (row === undefined) return undefined;
  const version = Number(row["version"]);
  if (version === SCHEMA_VERSION) return String(row["id"]);
  const found = `The tables of the store have version ${version}, and this Cairn knows ${SCHEMA_VERSION}`;
  throw new CairnError("UNAVAILABLE", `${found}: start the Cairn that made them.`);
}

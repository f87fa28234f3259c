import pg from "pg";
import { onTestFinished } from "vitest";
import type { StoreDatabase } from "../../../../server/config/config-store.ts";
import { openPostgresStore, type PostgresStoreOptions } from "../../../../server/store/postgres/postgres.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { toDatabase } from "../../../stand-ins/postgres.ts";

/** Options of an opening that has a database for itself, and says nothing. */
export function toOptions(database: StoreDatabase, node: string): PostgresStoreOptions {
  const label = `node ${node}`;
  return {
    database,
    password: async () => undefined,
    limitMs: 10_000,
    node: { node, label },
    onAlarm: () => undefined,
  };
}

/** A database, somebody who may do everything in it, and nodes that share it. */
export async function createPlace() {
  const database = await toDatabase(await temporaryFolder());
  const { host, port, user, schema } = database;
  const options = `-c search_path=${schema}`;
  const client = new pg.Client({ host, port, user, database: database.database, password: "", ssl: false, options });
  await client.connect();
  onTestFinished(() => client.end());
  return {
    database,
    admin: (text: string, values: unknown[] = []) => client.query(text, values),
    async open(
      node: string,
      shared: Partial<PostgresStoreOptions["shared"]> = {},
      onAlarm: PostgresStoreOptions["onAlarm"] = () => {},
    ) {
      const opened = await openPostgresStore({
        ...toOptions(database, node),
        shared: { release: "1.0.0", ...shared },
        onAlarm,
      });
      onTestFinished(() => opened.store.admin.close());
      return opened;
    },
  };
}

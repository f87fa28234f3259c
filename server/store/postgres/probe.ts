import { type ConnectionOptions, openConnection, type Query } from "./connection.ts";
import { createStanding } from "./standing.ts";
import { type Statement, STATEMENTS } from "./statements.ts";

/** Facts about the server of a database, which were read without changing anything. */
export interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
  /** Settings with which an acknowledged write may be lost when the server stops. */
  readonly unsafe: readonly string[];
}

/** Connects to a database and reads its settings. Rejects where a service could not use it. */
export async function probeDatabase(
  options: Pick<ConnectionOptions, "database" | "password" | "limitMs">,
): Promise<ServerFacts> {
  const { greet } = createStanding(() => undefined);
  const connection = openConnection({ ...options, greet });
  try {
    return await connection.use(async (query) => {
      const version = await show(query, STATEMENTS.serverVersion);
      const encoding = await show(query, STATEMENTS.serverEncoding);
      // Servers that only speak like PostgreSQL may have no such settings.
      const settings = { fsync: STATEMENTS.fsync, synchronous_commit: STATEMENTS.synchronousCommit };
      const unsafe: string[] = [];
      for (const [name, statement] of Object.entries(settings)) {
        if ((await show(query, statement).catch(() => "")) === "off") unsafe.push(name);
      }
      return { version, encoding, unsafe };
    });
  } finally {
    await connection.close();
  }
}

async function show(query: Query, statement: Statement): Promise<string> {
  const { rows } = await query(statement);
  return String(Object.values(rows[0] ?? {})[0]);
}

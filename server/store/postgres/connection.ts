import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { StoreDatabase } from "../../config/config-store.ts";
import { CairnError } from "../../errors.ts";
import { defined } from "../../json/defined.ts";
import { toTrouble } from "./errors.ts";
import type { Statement } from "./statements.ts";

export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Tag of the command, such as `COMMIT`. */
  readonly command: string;
  readonly rowCount: number;
}

/**
 * Sends a statement at once, behind those that were sent before; they are answered in their order. The server prepares one
 * that has values, even if they are none.
 */
export type Query = (statement: Statement, values?: readonly unknown[]) => Promise<Answer>;

export interface Connection {
  /** Runs `work` on a connection that is made anew where the last one broke. One that breaks meanwhile is given up. */
  use<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly database: StoreDatabase;
  /** Loads the password anew for each connection, so that it can be changed. */
  readonly password: () => Promise<string | undefined>;
  /** Milliseconds for a connection to be made, and for one answer. */
  readonly limitMs: number;
  /** Looks at each new connection before it is used; rejects when it must not be. */
  readonly greet: (query: Query) => Promise<void>;
  /** Hears of warnings by which the server says that something was not done as it should be. */
  readonly onWarning?: (message: string) => void;
}

/** Milliseconds before another try to connect: the first, and the longest. */
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 1_000;
/** Milliseconds for the server to take leave. */
const GOODBYE_MS = 1_000;
/** Class of the codes of notices that are no warnings. */
const SUCCESS = "00";
/** PostgreSQL's number of the type bigint, which the library reads as text by default. */
const BIGINT = 20;

export function openConnection(options: ConnectionOptions): Connection {
  let live: Promise<Live> | undefined;
  let isClosed = false;

  function start(): Promise<Live> {
    const made = connect(options);
    made.catch(() => {
      if (live === made) live = undefined;
    });
    return made;
  }

  async function find(): Promise<Live> {
    for (;;) {
      if (isClosed) throw new CairnError("UNAVAILABLE", "The store is closed.");
      const current = (live ??= start());
      const found = await current;
      if (!found.isBroken()) return found;
      if (live === current) live = undefined;
    }
  }

  return Object.freeze({
    async use<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
      const { query, drop } = await find();
      try {
        return await work(query);
      } catch (error) {
        if (!(error instanceof CairnError) && toTrouble(error) === "away") drop();
        throw error;
      }
    },
    async close() {
      isClosed = true;
      const last = await live?.catch(() => undefined);
      await last?.end();
    },
  });
}

/** Runs `work` again after a connection broke, until `isOver`; waits longer each time. For work that may be done twice. */
export async function insist<Result>(work: () => Promise<Result>, isOver: () => boolean): Promise<Result> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CairnError || isOver() || toTrouble(error) === "refused") throw error;
      await sleep(wait);
    }
  }
}

interface Live {
  readonly query: Query;
  isBroken(): boolean;
  /** Ends it at once, without a word to the server. */
  drop(): void;
  end(): Promise<void>;
}

async function connect({ database, password, limitMs, greet, onWarning }: ConnectionOptions): Promise<Live> {
  const { host, port, user, database: name, schema, ssl, rootCertificate } = database;
  const ca = rootCertificate === undefined ? undefined : await readFile(rootCertificate, "utf8");
  const secret = await password();
  const socket = new Socket();
  const client = new pg.Client({
    host,
    port,
    user,
    database: name,
    // Empty where there is none: the library would look for a file of passwords.
    password: secret ?? "",
    ssl: ssl === "verified" && { rejectUnauthorized: true, ...defined({ ca }) },
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
    stream: () => socket,
    pipeline: true,
    keepAlive: true,
    application_name: "cairn",
    client_encoding: "UTF8",
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    // Not `statement_timeout`: it would end the wait for a synchronous standby, and the commit would be acknowledged without.
    lock_timeout: limitMs,
    idle_in_transaction_session_timeout: limitMs,
    types: { getTypeParser: toParser },
  });
  let isBroken = false;
  const drop = () => {
    isBroken = true;
    socket.destroy();
  };
  client.on("error", drop);
  client.on("end", drop);
  // By its code: the severity is a word of the server's language.
  client.on("notice", ({ code = "", message }) => {
    if (!code.startsWith(SUCCESS)) onWarning?.(message ?? "");
  });
  const gather = createGather(socket);
  const query: Query = async ({ name: prepared, text }, values) => {
    gather();
    const { rows, command, rowCount } = await client.query(
      values === undefined ? text : { name: prepared, text, values: [...values] },
    );
    return { rows, command, rowCount: rowCount ?? 0 };
  };
  try {
    await client.connect();
    await greet(query);
  } catch (error) {
    drop();
    throw error;
  }
  return {
    query,
    isBroken: () => isBroken,
    drop,
    async end() {
      if (isBroken) return;
      await Promise.race([client.end(), sleep(GOODBYE_MS, undefined, { ref: false })]);
      drop();
    },
  };
}

const toParser: typeof pg.types.getTypeParser = (type: number, format?: "text" | "binary") =>
  type === BIGINT ? Number : pg.types.getTypeParser(type, format as "text");

/** Creates what keeps bytes back until the end of the current work, so that its statements leave in one write instead of one each. */
function createGather(socket: Socket): () => void {
  let isGathering = false;
  return () => {
    if (isGathering) return;
    isGathering = true;
    socket.cork();
    process.nextTick(() => {
      isGathering = false;
      socket.uncork();
    });
  };
}

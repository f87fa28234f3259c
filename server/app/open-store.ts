import { hostname } from "node:os";
import { toDataPaths } from "../config/data-folder.ts";
import { showDatabase, type StoreConfig } from "../config/config-store.ts";
import { RELEASE } from "../config/optional-package.ts";
import { loadReferencedSecret } from "../config/secret-reference.ts";
import { CairnError } from "../errors.ts";
import { defined } from "../json/defined.ts";
import { openLmdbCopy } from "../store/lmdb/image.ts";
import { openLmdbStore } from "../store/lmdb/lmdb.ts";
import { openSteadyClock } from "../store/steady-clock.ts";
import type { Members } from "../store/members.ts";
import type { Store } from "../store/store.ts";
import { createStorePlace, hasOwnStore, loadStorePlace, saveStorePlace } from "./store-place.ts";

/** A store, and the time that it counts by. */
export interface OpenedStore {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly storeTime: () => number;
  /** Processes that share the store; absent where it is this one's alone. */
  readonly members?: Members;
}

export interface StoreOptions {
  /** Absolute path of the data folder, which this process alone has. */
  readonly data: string;
  readonly config: StoreConfig;
  /** True for a command, which answers no other node. */
  readonly isCommand?: boolean;
  /** Hears what an operator must know: that the store must not be used any longer, and why, or that another node died. */
  readonly onAlarm: (message: string) => void;
}

/**
 * Opens the store of a data folder where the configuration says that it is. Refuses a place where it is not: a service
 * that began with an empty store would have forgotten everything. @throws UNAVAILABLE BAD_REQUEST
 */
export async function openStore({ data, config, ...options }: StoreOptions): Promise<OpenedStore> {
  const place = await loadStorePlace(data);
  if (config.engine === "postgres") return openDatabaseStore(data, config, place, options);
  if (place !== undefined) {
    const where = `The store of \`${data}\` is in the database ${place.database}`;
    const advice = "set CAIRN_STORE to that, or bring it back with `cairn store copy`";
    throw new CairnError("BAD_REQUEST", `${where}: ${advice}.`);
  }
  const directory = toDataPaths(data).store;
  const storeTime = await openSteadyClock(directory);
  return { store: await openLmdbStore({ directory, now: storeTime }), storeTime };
}

/** The store of a folder that nobody else knows of, such as a copy. */
export function openStoreAlone(directory: string, now?: () => number): Promise<Store> {
  return openLmdbStore({ directory, ...defined({ now }) });
}

async function openDatabaseStore(
  data: string,
  { database, password, limitMs, nodeAddress }: Extract<StoreConfig, { engine: "postgres" }>,
  known: Awaited<ReturnType<typeof loadStorePlace>>,
  { isCommand = false, onAlarm }: Pick<StoreOptions, "isCommand" | "onAlarm">,
): Promise<OpenedStore> {
  if (known === undefined && hasOwnStore(data)) {
    const found = `\`${data}\` has a store of its own, and CAIRN_STORE names a database`;
    throw new CairnError("BAD_REQUEST", `${found}: move it with \`cairn store copy\`, or name another folder.`);
  }
  const shown = showDatabase(database);
  const place = known ?? createStorePlace(shown);
  // Who has its store in the folder loads no client of databases.
  const { openPostgresStore } = await import("../store/postgres/postgres.ts");
  const address = isCommand ? undefined : nodeAddress;
  const { store, now, id, members } = await openPostgresStore({
    database,
    password: async () => password && loadReferencedSecret("CAIRN_STORE_PASSWORD", password),
    limitMs,
    node: { node: place.node, label: `\`${data}\` on ${hostname()}` },
    ...(nodeAddress !== undefined && { shared: { release: RELEASE, ...defined({ address }) } }),
    openCopy: openLmdbCopy,
    onAlarm,
  });
  try {
    if (place.store !== undefined && place.store !== id) throw anotherStore(data, place.database, shown);
    if (place.store === undefined || place.database !== shown) {
      await saveStorePlace(data, { ...place, store: id, database: shown });
    }
  } catch (error) {
    await store.admin.close();
    throw error;
  }
  return { store, storeTime: now, ...defined({ members }) };
}

function anotherStore(data: string, former: string, database: string): CairnError {
  const found = `The database ${database} holds another store than the one that \`${data}\` has used in ${former}`;
  return new CairnError("BAD_REQUEST", `${found}. Name that one, or another data folder.`);
}

import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { showDatabase, type StoreConfig } from "../config/config-store.ts";
import { toDataPaths } from "../config/data-folder.ts";
import { loadReferencedSecret } from "../config/secret-reference.ts";
import { CairnError } from "../errors.ts";
import { type HoldOptions, createInUse, holdOrAsk } from "../instance/hold-or-ask.ts";
import { type CopiedItems, copyImage, refuseBreaks } from "../store/copy-image.ts";
import { openLmdbImage } from "../store/lmdb/image.ts";
import { openPostgresImage } from "../store/postgres/image.ts";
import type { StoreImage } from "../store/store-image.ts";
import { createStorePlace, dropStorePlace, hasOwnStore, loadStorePlace, saveStorePlace } from "./store-place.ts";

type Database = Extract<StoreConfig, { engine: "postgres" }>;

export interface CopyOptions extends HoldOptions {
  readonly database: Database;
  /** Says which way: into the database, or back into the data folder. */
  readonly direction: "to-database" | "to-folder";
  /** Hears again and again how far this has come. */
  readonly onProgress: (text: string) => void;
}

/** Counts of what was copied. */
export interface Copied extends CopiedItems {
  /** Folder that the former store lies in; absent: it stays in its database. */
  readonly left?: string;
}

/**
 * Moves the store of a stopped service: everything is copied as it is, with revisions, leases and every hash, then the
 * data folder says that the store is at its new place. The former store stays where it was, out of use. What is cut short
 * leaves the data folder with the store that it had; tables are out of use before the folder has their store. @throws UNAVAILABLE CONFLICT
 */
export async function copyStore(options: CopyOptions): Promise<Copied> {
  const use = await holdOrAsk(options);
  if ("peer" in use) {
    use.peer.close();
    throw createInUse(options.data, use.peer.holder);
  }
  try {
    return await (options.direction === "to-database" ? copyToDatabase(options) : copyToFolder(options));
  } finally {
    await use.instance.release();
  }
}

async function copyToDatabase({ data, database, onProgress }: CopyOptions): Promise<Copied> {
  const { store } = toDataPaths(data);
  if ((await loadStorePlace(data)) !== undefined || !hasOwnStore(data)) {
    throw new CairnError("BAD_REQUEST", `\`${data}\` has no store of its own that could be copied into a database.`);
  }
  const shown = showDatabase(database.database);
  const place = createStorePlace(shown);
  const from = await openLmdbImage(store);
  try {
    const to = await openImage(data, database, place.node, true);
    try {
      const copied = await copyAll(from, to, onProgress);
      await to.finish();
      await saveStorePlace(data, { ...place, store: to.id });
      return { ...copied, left: store };
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function copyToFolder({ data, database, onProgress }: CopyOptions): Promise<Copied> {
  const place = await loadStorePlace(data);
  if (place === undefined) throw new CairnError("BAD_REQUEST", `The store of \`${data}\` is in no database.`);
  const { store } = toDataPaths(data);
  const made = `${store}.new`;
  await rm(made, { recursive: true, force: true });
  const from = await openImage(data, database, place.node, false);
  try {
    if (from.id !== place.store) {
      throw new CairnError("BAD_REQUEST", `The database holds another store than that of \`${data}\`.`);
    }
    const to = await openLmdbImage(made);
    const copied = await copyAll(from, to, onProgress).finally(() => to.close());
    // Other data folders know of the database alone. Before the folder has it, so that never two places do.
    await from.retire();
    // Left by a copy into the database; it is older than what is in there.
    if (hasOwnStore(data)) await rename(store, `${store}.${randomUUID()}`);
    else await rm(store, { recursive: true, force: true });
    await rename(made, store);
    await dropStorePlace(data);
    return copied;
  } finally {
    await from.close();
  }
}

function openImage(data: string, { database, password, limitMs }: Database, node: string, isTarget: boolean) {
  const label = `\`cairn store copy\` of \`${data}\` on ${hostname()}`;
  const loadPassword = async () => password && loadReferencedSecret("CAIRN_STORE_PASSWORD", password);
  return openPostgresImage({ database, password: loadPassword, limitMs, node: { node, label } }, isTarget);
}

async function copyAll(from: StoreImage, to: StoreImage, onProgress: (text: string) => void): Promise<Copied> {
  const copied = await copyImage(refuseBreaks(from.items()), to, onProgress);
  await to.setRev(await from.lastRev());
  return copied;
}

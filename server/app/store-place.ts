import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toDataPaths } from "../config/data-folder.ts";
import { CairnError } from "../errors.ts";
import { isObject } from "../json/is-object.ts";

/** Record in a data folder whose store is in a database. */
export interface StorePlace {
  /** Identifier that the tables were made with; absent: the folder has not used a database yet. */
  readonly store?: string;
  /** Identifier of this folder among those that use the database. */
  readonly node: string;
  /** The database as people know it. */
  readonly database: string;
}

/** LMDB's file in a folder of its own. */
const LMDB_FILE = "data.mdb";

/** Loads the record of a data folder; `undefined` where its store is in the folder, or not made yet. @throws UNAVAILABLE */
export async function loadStorePlace(data: string): Promise<StorePlace | undefined> {
  const path = toDataPaths(data).storePlace;
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const place = readPlace(text);
  if (place !== undefined) return place;
  throw new CairnError("UNAVAILABLE", `\`${path}\` does not say where the store is. Restore the file from a backup.`);
}

/** Saves where the store of a data folder is. */
export async function saveStorePlace(data: string, place: StorePlace): Promise<void> {
  const path = toDataPaths(data).storePlace;
  const text = `${JSON.stringify({ schemaVersion: 1, engine: "postgres", ...place })}\n`;
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Says from now on that the store of a data folder is in the folder. */
export async function dropStorePlace(data: string): Promise<void> {
  await rm(toDataPaths(data).storePlace, { force: true });
}

/** A new record of a folder that has used no database. */
export function createStorePlace(database: string): StorePlace {
  return { node: randomUUID(), database };
}

/** Checks whether a data folder has a store of its own. */
export function hasOwnStore(data: string): boolean {
  return existsSync(join(toDataPaths(data).store, LMDB_FILE));
}

function readPlace(text: string): StorePlace | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    const { store, node, database } = value;
    if (typeof store !== "string" || typeof node !== "string" || typeof database !== "string") return undefined;
    return { store, node, database };
  } catch {
    return undefined;
  }
}

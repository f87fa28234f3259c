import { open, type RootDatabase } from "lmdb";

/** LMDB's name for its file in a directory. */
export const DATA_FILE = "data.mdb";

/** One LMDB database each: entries by key, logs by name and sequence number, and what is due when. */
export const TABLE_NAMES = ["entries", "logs", "expiry", "claims"] as const;

/** Keys and values are bytes as they are: order and meaning are the store's, not LMDB's. */
export const TABLE_OPTIONS = { encoding: "binary", keyEncoding: "binary" } as const;

/** Every process must open a directory with the same options, because its file does not remember them. */
export function openRoot(directory: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({ ...ROOT_OPTIONS, ...TABLE_OPTIONS, path: directory });
}

const ROOT_OPTIONS = {
  // A directory is one even if its name has a dot.
  noSubdir: false,
  maxDbs: 32,
  // Off, the promise of a transaction means flushed; on, only visible.
  overlappingSync: false,
  // State holds what tenants said; other accounts of the machine have no business with it.
  permissionsMode: 0o600,
};

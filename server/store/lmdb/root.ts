import { open, type RootDatabase } from "lmdb";

/** LMDB's name for its file in a directory. */
export const DATA_FILE = "data.mdb";

/** Its lock is with the one process that has LMDB's file open. */
export const PROCESS_LOCK = "process.lock";

/** One LMDB database each: entries by key, logs by name and sequence number, and what is due when. */
export const TABLE_NAMES = ["entries", "logs", "expiry", "claims"] as const;

/** Keys and values are bytes as they are: order and meaning are the store's, not LMDB's. */
export const TABLE_OPTIONS = { encoding: "binary", keyEncoding: "binary" } as const;

/** With the same options each time, because the file does not remember them; see PROCESS_LOCK for who may. */
export function openRoot(directory: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({ ...ROOT_OPTIONS, ...TABLE_OPTIONS, path: directory });
}

const ROOT_OPTIONS = {
  // A directory is one even if its name has a dot.
  noSubdir: false,
  maxDbs: 32,
  // 1 TiB of address space, so that the map never has to grow. LMDB 3.5.6 grows it on the JavaScript thread and on its
  // writer's at once; one of them then remembers an old address with a new size, and closing unmaps what lies behind.
  mapSize: 2 ** 40,
  // Off, the promise of a transaction means flushed; on, only visible.
  overlappingSync: false,
  // State holds what tenants said; other accounts of the machine have no business with it.
  permissionsMode: 0o600,
};

import { openLmdbStore } from "../../../server/store/lmdb.ts";
import type { Store } from "../../../server/store/store.ts";

export type Engine = keyof typeof ENGINES;

/** Everything that implements the port; a child process opens the same engine by its name. */
export const ENGINES = {
  lmdb: openLmdbStore,
} satisfies Record<string, (options: { directory: string; now?: () => number }) => Promise<Store>>;

import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openLmdbStore } from "../../server/store/lmdb/lmdb.ts";
import type { Store } from "../../server/store/store.ts";
import { temporaryFolder } from "./temporary.ts";

/** A store of its own for the current test. */
export async function openTestStore(now: () => number = Date.now): Promise<Store> {
  const store = await openLmdbStore({ directory: join(await temporaryFolder(), "store"), now });
  onTestFinished(() => store.admin.close());
  return store;
}

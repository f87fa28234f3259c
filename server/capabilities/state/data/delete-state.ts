import type { Commit, Store } from "../../../store/store.ts";
import { toPages } from "./pages.ts";
import { type StatePlace, toStoreKey } from "./place.ts";

/**
 * Deletes all keys of a place in pages, `note` with the first, and returns how many those were. The lineage stays: nothing
 * can be taken out of it.
 */
export async function deleteState(
  store: Store,
  place: StatePlace,
  note: Required<Pick<Commit, "set" | "append">>,
  onKeys: (count: number) => void,
): Promise<number> {
  let count = 0;
  for await (const page of toPages(store.scan({ prefix: toStoreKey(place) }))) {
    await store.commit({ del: page.map(({ key }) => key), ...(count === 0 ? note : {}) });
    onKeys((count += page.length));
  }
  return count;
}

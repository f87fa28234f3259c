import type { Store } from "../../../store/store.ts";
import { type ChangeNotes, withLedger } from "./ledger.ts";
import { toPages } from "./pages.ts";
import { type StatePlace, toStoreKey } from "./place.ts";

/** Deletes all keys of a place in pages, and returns how many those were. The lineage stays: nothing can be taken out of it. */
export async function deleteState(
  store: Store,
  place: StatePlace,
  notes: ChangeNotes<{ readonly keys: number }>,
  onKeys: (count: number) => void,
): Promise<number> {
  let count = 0;
  const { keys } = await withLedger(store, notes, { keys: 0 }, async (commit) => {
    for await (const page of toPages(store.scan({ prefix: toStoreKey(place) }))) {
      await commit({ del: page.map(({ key }) => key) }, { keys: page.length });
      onKeys((count += page.length));
    }
  });
  return keys;
}

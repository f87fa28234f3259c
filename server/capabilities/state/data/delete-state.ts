import type { Commit, Store } from "../../../store/store.ts";
import { toPages } from "./pages.ts";
import { type StatePlace, toStoreKey } from "./place.ts";

interface DeletionNotes {
  readonly begun: Note;
  toEnded(keys: number, outcome: "done" | "failed"): Note;
}

type Note = Required<Pick<Commit, "set" | "append">>;

/**
 * Deletes all keys of a place in pages, and returns how many those were. `begun` is noted with the first page, and the number
 * behind the last, also where a page fails. The lineage stays: nothing can be taken out of it.
 */
export async function deleteState(
  store: Store,
  place: StatePlace,
  notes: DeletionNotes,
  onKeys: (count: number) => void,
): Promise<number> {
  let count = 0;
  const end = async (outcome: "done" | "failed") => {
    if (count > 0) await store.commit(notes.toEnded(count, outcome));
  };
  try {
    for await (const page of toPages(store.scan({ prefix: toStoreKey(place) }))) {
      await store.commit({ del: page.map(({ key }) => key), ...(count === 0 ? notes.begun : {}) });
      onKeys((count += page.length));
    }
  } catch (error) {
    // The failure itself says more than a store that takes no note either.
    await end("failed").catch(() => undefined);
    throw error;
  }
  await end("done");
  return count;
}

import type { Commit, Key, Store } from "./store.ts";

/**
 * A store whose writes happen only while `key` has the revision of a claim: those of a process that lost the lease, and has not
 * noticed, conflict. What only reads is not held up.
 */
export function fenceStore(store: Store, { key, fence }: { readonly key: Key; readonly fence: number }): Store {
  return Object.freeze<Store>({
    ...store,
    async commit(commit) {
      if (!writes(commit)) return store.commit(commit);
      return store.commit({ ...commit, check: [...(commit.check ?? []), { key, rev: fence }] });
    },
  });
}

function writes({ renew = [], set = [], del = [], add = [], append = [] }: Commit): boolean {
  return renew.length + set.length + del.length + add.length + append.length > 0;
}

import type { Key } from "./store.ts";

export interface Watchers {
  watch(prefix: Key, notify: () => void): () => void;
  /** Calls everyone who watches a prefix of one of `keys`, once, after the current turn's work. */
  hint(keys: readonly Key[]): void;
  /** Calls everyone who may watch something below one of `keys`, or a prefix of it. */
  hintUnder(keys: readonly Key[]): void;
  isWatched(): boolean;
}

/** Creates the list of watchers that get a hint at each change, within this process. */
export function createWatchers(): Watchers {
  const watchers = new Map<string, Set<() => void>>();
  /** Numbers of watchers by the first element of their prefix, undefined standing for the empty one: most keys of a commit are below none. */
  const roots = new Map<Key[number] | undefined, number>();
  return Object.freeze({
    watch(prefix: Key, notify: () => void) {
      const name = JSON.stringify(prefix);
      // A function of its own, so that watching twice with the same one is two watches.
      const one = () => notify();
      const [root] = prefix;
      watchers.set(name, (watchers.get(name) ?? new Set()).add(one));
      roots.set(root, (roots.get(root) ?? 0) + 1);
      return () => {
        const group = watchers.get(name);
        if (group?.delete(one) !== true) return;
        if (group.size === 0) watchers.delete(name);
        const others = (roots.get(root) ?? 1) - 1;
        if (others === 0) roots.delete(root);
        else roots.set(root, others);
      };
    },
    hint(keys: readonly Key[]) {
      if (watchers.size === 0) return;
      const calls = new Set<() => void>();
      const isAll = roots.has(undefined);
      for (const key of keys) {
        if (!isAll && !roots.has(key[0])) continue;
        for (let length = 0; length <= key.length; length++) {
          for (const one of watchers.get(JSON.stringify(key.slice(0, length))) ?? []) calls.add(one);
        }
      }
      call(calls);
    },
    hintUnder(keys: readonly Key[]) {
      const calls = new Set<() => void>();
      for (const [name, group] of watchers) {
        const prefix = JSON.parse(name) as Key;
        const isMeant = keys.some((key) => prefix.slice(0, key.length).every((element, at) => element === key[at]));
        if (isMeant) for (const one of group) calls.add(one);
      }
      call(calls);
    },
    isWatched: () => watchers.size > 0,
  });
}

/** Not within the commit that caused it: a watcher that throws is a defect of its own. */
function call(watchers: Iterable<() => void>): void {
  for (const one of watchers) queueMicrotask(one);
}

import { isObject } from "../../json/is-object.ts";
import type { Entry, Store } from "../../store/store.ts";

/** Other nodes of the store, each with a copy of the same repository. */
export interface Neighbours {
  /** Tells them that something was pushed. */
  tell(): void;
  /** Hears of what another node found to be pushed. Returns "stop". */
  onTold(listener: () => void): () => void;
}

const KEY = ["versions", "pushed"];

/** Creates the way of news about the repository, so that a push or a webhook that one node notices is noticed by all. `self` names this node. */
export function createNeighbours(
  store: Pick<Store, "get" | "commit" | "watch">,
  self: string,
  onError: (error: unknown) => void,
): Neighbours {
  const listeners = new Set<() => void>();
  let heard: number | undefined;

  function hear(entry: Entry | undefined): void {
    if (entry === undefined || entry.rev === heard || !isObject(entry.value) || entry.value["by"] === self) return;
    heard = entry.rev;
    for (const listener of listeners) listener();
  }

  /** Writes over nothing that this node has not heard: another's news of a moment ago would be lost to it. */
  async function write(): Promise<void> {
    for (let isWritten = false; !isWritten;) {
      const entry = await store.get(KEY);
      hear(entry);
      const check = [{ key: KEY, rev: entry?.rev ?? 0 }];
      ({ ok: isWritten } = await store.commit({ check, set: [{ key: KEY, value: { by: self } }] }));
    }
  }

  return Object.freeze<Neighbours>({
    tell: () => void write().catch(onError),
    onTold(listener) {
      listeners.add(listener);
      const stop = store.watch(KEY, () => void store.get(KEY).then(hear).catch(onError));
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
  });
}

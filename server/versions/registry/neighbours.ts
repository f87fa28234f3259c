import { isObject } from "../../json/is-object.ts";
import type { Store } from "../../store/store.ts";

/** Other nodes of the store, each with a copy of the same repository. */
export interface Neighbours {
  /** Tells them that something was pushed. */
  tell(): void;
  /** Hears of what another node found to be pushed. Returns "stop". */
  onTold(listener: () => void): () => void;
}

const KEY = ["versions", "pushed"];

/** Creates the way of news about the repository, so that a push or a webhook that one node notices is noticed by all. `self` names this node. */
export function createNeighbours(store: Store, self: string, onError: (error: unknown) => void): Neighbours {
  async function isOthers(): Promise<boolean> {
    const value = (await store.get(KEY))?.value;
    return isObject(value) && value["by"] !== self;
  }

  return Object.freeze<Neighbours>({
    tell: () => void store.commit({ set: [{ key: KEY, value: { by: self } }] }).catch(onError),
    onTold(listener) {
      return store.watch(KEY, () => {
        isOthers().then((isNews) => {
          if (isNews) listener();
        }, onError);
      });
    },
  });
}

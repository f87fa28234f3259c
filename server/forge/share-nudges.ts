import { isObject } from "../json/is-object.ts";
import { defined } from "../json/defined.ts";
import { FORGE_NUDGED } from "../store/node-keys.ts";
import type { Store } from "../store/store.ts";
import type { Nudge, Nudges } from "./nudges.ts";

/**
 * Passes nudges on to all nodes of a store: what a forge says reaches one of them, and another may wait for it. Of nudges that
 * come together a node may hear the last one only; looking now and then stays enough. Returns "stop".
 */
export function shareNudges(
  { nudge, onNudge }: Nudges,
  store: Pick<Store, "get" | "commit" | "watch">,
  { self, onError }: { readonly self: string; readonly onError: (error: unknown) => void },
): () => void {
  let isPassing = false;
  const unwatch = store.watch(FORGE_NUDGED, () => {
    const hear = async () => {
      const kept = (await store.get(FORGE_NUDGED))?.value;
      if (!isObject(kept) || kept["node"] === self) return;
      isPassing = true;
      nudge(readNudge(kept));
      isPassing = false;
    };
    hear().catch(onError);
  });
  const stop = onNudge((nudged) => {
    if (isPassing) return;
    store.commit({ set: [{ key: FORGE_NUDGED, value: { ...nudged, node: self } }] }).catch(onError);
  });
  return () => {
    unwatch();
    stop();
  };
}

function readNudge({ branch, commit, number }: Readonly<Record<string, unknown>>): Nudge {
  return defined({
    branch: typeof branch === "string" ? branch : undefined,
    commit: typeof commit === "string" ? commit : undefined,
    number: typeof number === "number" ? number : undefined,
  });
}

import type { Json } from "../json/types.ts";
import { CairnError } from "../errors.ts";
import type { Commit, Store } from "./store.ts";

/**
 * A store that takes so many bytes and no more, as long as it is open: what is written over or deleted still counts, so
 * that the file below cannot grow either. RATE_LIMITED for what does not fit, of which nothing is written.
 */
export function limitStore(store: Store, maxBytes: number): Store {
  let written = 0;
  return Object.freeze<Store>({
    ...store,
    async commit(commit) {
      const bytes = sizeOf(commit);
      if (written + bytes > maxBytes) {
        throw new CairnError(
          "RATE_LIMITED",
          `There is room for ${maxBytes} bytes, and ${written} are written already.`,
        );
      }
      written += bytes;
      return store.commit(commit);
    },
  });
}

/** Overhead of each written item beside its text: names, revisions, pages of the tree. */
const OVERHEAD = 256;

function sizeOf({ set = [], add = [], append = [], del = [], renew = [] }: Commit): number {
  const texts = [
    ...set.map((write) => ("json" in write ? write.json : toText(write.value)) + toText(write.key)),
    ...append.map(({ log, entry }) => log + toText(entry)),
    ...[...add, ...renew].map(({ key }) => toText(key)),
    ...del.map(toText),
  ];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + OVERHEAD, 0);
}

function toText(value: Json): string {
  return JSON.stringify(value);
}

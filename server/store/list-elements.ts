import type { Key, Store } from "./store.ts";

/** Sorts behind every key that begins alike. */
const LAST = "\u{10ffff}";

/** Lists the different texts that follow `prefix` in keys, in their order: a look into the store for each, instead of for each key. */
export async function* listElements(store: Pick<Store, "scan">, prefix: Key): AsyncGenerator<string> {
  for (let after: Key | undefined = prefix; after !== undefined;) {
    const element: string | undefined = await findNext(store, prefix, after);
    if (element !== undefined) yield element;
    after = element === undefined ? undefined : [...prefix, element, LAST];
  }
}

async function findNext(store: Pick<Store, "scan">, prefix: Key, after: Key): Promise<string | undefined> {
  for await (const { key } of store.scan({ prefix, after, limit: 1 })) return String(key[prefix.length]);
  return undefined;
}

import { setTimeout as sleep } from "node:timers/promises";
import { isUuid } from "../identifiers.ts";
import { findInSegments } from "./calls/find-calls.ts";
import type { Entry, Key, Store } from "./store.ts";

/** Kinds of records that may reach the store a moment after the answer of their call. */
const TRAILING: ReadonlySet<unknown> = new Set(["call", "tuned"]);
/** Milliseconds around its id's time in which such a record may be on its way: clocks of nodes differ. */
const YOUNG_MS = 5_000;
/** Milliseconds for which it is looked for. */
const LOOKS_MS = 200;
const LOOK_MS = 50;

/**
 * Puts a second look around a store that several nodes use: who asks one node for the record of a call that another has just
 * answered waits for it a moment, instead of hearing that there is none. `now`: milliseconds since 1970, as the store counts them.
 */
export function lookAgain(store: Store, now: () => number): Store {
  async function getMany(keys: readonly Key[]): Promise<readonly (Entry | undefined)[]> {
    let entries = await store.getMany(keys);
    for (let waited = 0; waited < LOOKS_MS; waited += LOOK_MS) {
      const missing = keys.filter((key, at) => entries[at] === undefined && mayTrail(key, now()));
      if (!(await hasMissing(store, missing))) break;
      await sleep(LOOK_MS);
      entries = await store.getMany(keys);
    }
    return entries;
  }

  return Object.freeze<Store>({ ...store, getMany, get: async (key) => (await getMany([key]))[0] });
}

/** Checks that one of the records is neither where it is looked for nor, that of a call, written beside others. */
async function hasMissing(store: Store, keys: readonly Key[]): Promise<boolean> {
  for (const [kind, tenant, commit, id] of keys) {
    if (kind !== "call") return true;
    const call = { tenant: String(tenant), commit: String(commit), id: String(id) };
    if ((await findInSegments(store, call)) === undefined) return true;
  }
  return false;
}

function mayTrail(key: Key, now: number): boolean {
  const id = key.at(-1);
  if (!TRAILING.has(key[0]) || typeof id !== "string" || !isUuid(id)) return false;
  return Math.abs(now - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) < YOUNG_MS;
}

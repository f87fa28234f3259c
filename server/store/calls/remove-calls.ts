import { callKey } from "../keys.ts";
import type { Commit, Json, Key, Store, Write } from "../store.ts";
import { type CallName, findPlaces } from "./find-calls.ts";

/** Part of a commit that takes records of calls away; a conflict when others have changed the segments that they are in meanwhile. */
export type CallsRemoval = Required<Pick<Commit, "check" | "set" | "del">>;

/** Prepares to take records of a tenant's calls away. Those that share a segment with others leave these as they are. */
export async function prepareRemoval(
  store: Pick<Store, "scan">,
  tenant: string,
  names: readonly CallName[],
): Promise<CallsRemoval> {
  const check: { key: Key; rev: number }[] = [];
  const set: Write[] = [];
  // Also of those that have no value of their own: whoever watches one gets a hint.
  const del: Key[] = names.map(({ commit, id }) => callKey(tenant, commit, id));
  for (const [commit, named] of Map.groupBy(names, (name) => name.commit)) {
    const ids = new Set(named.map(({ id }) => id));
    const places = await findPlaces(store, { tenant, commit }, [...ids]);
    const segments = new Map([...places.values()].map((place) => [place.segment.key, place] as const));
    for (const [key, { segment, records }] of segments) {
      const left: Json[] = [...records].filter(([id]) => !ids.has(id)).map(([, record]) => record);
      check.push({ key, rev: segment.rev });
      if (left.length === 0) del.push(key);
      else set.push({ key, value: left });
    }
  }
  return { check, set, del };
}

import { hash } from "node:crypto";
import { type BodyRecord, readBodyRecord } from "../kernel/stages/body.ts";
import { bodiesOf } from "../store/keys.ts";
import type { Key, Store } from "../store/store.ts";

/** A recorded call, by its id. */
export interface Recorded extends BodyRecord {
  readonly id: string;
}

/** Records that are read together: tapes are long. */
const PAGE = 100;

/** Reads the recorded calls of one tenant and version, oldest first, a page at a time. */
export async function* readPages(
  store: Pick<Store, "scan">,
  tenant: string,
  commit: string,
): AsyncGenerator<readonly Recorded[]> {
  let after: Key | undefined;
  for (;;) {
    const page: Recorded[] = [];
    let last: Key | undefined;
    const prefix = bodiesOf(tenant, commit);
    for await (const { key, value } of store.scan({ prefix, limit: PAGE, ...(after === undefined ? {} : { after }) })) {
      page.push({ ...readBodyRecord(value), id: String(key.at(-1)) });
      last = key;
    }
    if (page.length > 0) yield page;
    if (page.length < PAGE || last === undefined) return;
    after = last;
  }
}

/** Choice of recorded calls. */
export interface Selection {
  readonly isWanted: (recorded: Recorded) => boolean;
  /** So many of the newest; absent: all. */
  readonly limit?: number;
  /** So many of those, chosen by chance; absent: all. */
  readonly sample?: number;
  /** Seed of the sample, which chooses equal calls each time. */
  readonly seed: string;
}

/** Chooses calls of some tenants by their ids; only these are kept in memory. */
export async function chooseCalls(
  store: Pick<Store, "scan">,
  tenants: readonly string[],
  commit: string,
  { isWanted, limit, sample, seed }: Selection,
): Promise<ReadonlySet<string>> {
  const found: { readonly id: string; readonly at: number }[] = [];
  for (const tenant of tenants) {
    for await (const page of readPages(store, tenant, commit)) {
      for (const recorded of page) if (isWanted(recorded)) found.push({ id: recorded.id, at: recorded.at });
    }
  }
  const newest = limit === undefined ? found : found.toSorted((one, other) => other.at - one.at).slice(0, limit);
  const ids = newest.map(({ id }) => id);
  if (sample === undefined) return new Set(ids);
  // The calls whose digests are least are a sample that depends on nothing but the seed.
  const digests = new Map(ids.map((id) => [id, hash("sha256", `${seed}\n${id}`)]));
  const ranked = ids.toSorted((one, other) => ((digests.get(one) ?? "") < (digests.get(other) ?? "") ? -1 : 1));
  return new Set(ranked.slice(0, sample));
}

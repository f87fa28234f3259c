import type { Key, Store } from "./store.ts";

/** Sorts behind every key that begins alike. */
const LAST = "\u{10ffff}";

/** Loads the tenants that have records of some kinds: each kind is the first element of keys whose second is the tenant. */
export async function loadTenants(store: Pick<Store, "scan">, kinds: readonly string[]): Promise<readonly string[]> {
  const tenants = new Set<string>();
  for (const kind of kinds) {
    for (let after: Key = [kind]; ;) {
      const tenant = await findNext(store, [kind], after);
      if (tenant === undefined) break;
      tenants.add(tenant);
      after = [kind, tenant, LAST];
    }
  }
  return [...tenants].sort();
}

/** From tenant to tenant, instead of from record to record. */
async function findNext(store: Pick<Store, "scan">, prefix: Key, after: Key): Promise<string | undefined> {
  for await (const { key } of store.scan({ prefix, after, limit: 1 })) return String(key[1]);
  return undefined;
}

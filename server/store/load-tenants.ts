import { listElements } from "./list-elements.ts";
import type { Store } from "./store.ts";

/** Loads the tenants that have records of some kinds: each kind is the first element of keys whose second is the tenant. */
export async function loadTenants(store: Pick<Store, "scan">, kinds: readonly string[]): Promise<readonly string[]> {
  const tenants = new Set<string>();
  for (const kind of kinds) {
    for await (const tenant of listElements(store, [kind])) tenants.add(tenant);
  }
  return [...tenants].sort();
}

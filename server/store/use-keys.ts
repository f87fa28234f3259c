import { callsOfVersion } from "./keys.ts";
import type { Key } from "./store.ts";

/** Key of the counts of lists and reads, of one version or of all that a tenant uses. */
export function readsKey(tenant: string, commit?: string): Key {
  return ["reads", tenant, ...(commit === undefined ? [] : [commit])];
}

/** Key of the calls of one version, or of all that a tenant calls. */
export function callsKey(tenant: string, commit?: string): Key {
  const all = callsOfVersion(tenant, commit ?? "");
  return commit === undefined ? all.slice(0, -1) : all;
}

import { auditCheckpoints, callsOfVersion, eventKey } from "../../store/keys.ts";
import type { Key, Store } from "../../store/store.ts";

/** Sorts behind every key that begins alike. */
const LAST = "\u{10ffff}";

/** Whose audit logs there are: every record that a log names, and every checkpoint, is kept under its tenant. */
export async function loadAuditedTenants(store: Store): Promise<readonly string[]> {
  const tenants = new Set<string>();
  for (const [kind = ""] of [callsOfVersion("", ""), eventKey("", ""), auditCheckpoints("")]) {
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
async function findNext(store: Store, prefix: Key, after: Key): Promise<string | undefined> {
  for await (const { key } of store.scan({ prefix, after, limit: 1 })) return String(key[1]);
  return undefined;
}

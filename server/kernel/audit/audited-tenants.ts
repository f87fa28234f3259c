import { auditCheckpoints, callsOfVersion, eventKey } from "../../store/keys.ts";
import { loadTenants } from "../../store/load-tenants.ts";
import type { Store } from "../../store/store.ts";

/** Whose audit logs there are: every record that a log names, and every checkpoint, is kept under its tenant. */
export function loadAuditedTenants(store: Store): Promise<readonly string[]> {
  return loadTenants(
    store,
    [callsOfVersion("", ""), eventKey("", ""), auditCheckpoints("")].flatMap(([kind]) => String(kind)),
  );
}

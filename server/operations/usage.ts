import { readCallRecord } from "../kernel/record.ts";
import { callsOfVersion } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

/** Use of one tool of a version by one actor. */
export interface Use {
  readonly tenant: string;
  readonly actor: string;
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  /** Milliseconds since 1970. */
  readonly lastUse: number;
}

/** The calls of a commit by tenant, actor and tool, those used last first; calls that handlers make are not counted. */
export async function loadUsage(
  store: Store,
  commit: string,
  tenants: readonly string[],
  since: number,
): Promise<readonly Use[]> {
  const uses = new Map<string, Use>();
  for (const tenant of tenants) {
    for await (const { value } of store.scan({ prefix: callsOfVersion(tenant, commit) })) {
      const { actor, tool, startedAt, outcome, parent } = readCallRecord(value);
      if (parent !== undefined || startedAt < since) continue;
      const key = JSON.stringify([tenant, actor, tool]);
      const { calls = 0, failed = 0, lastUse = startedAt } = uses.get(key) ?? {};
      const failure = outcome === "ok" ? 0 : 1;
      const last = Math.max(lastUse, startedAt);
      uses.set(key, { tenant, actor, tool, calls: calls + 1, failed: failed + failure, lastUse: last });
    }
  }
  return [...uses.values()].sort((one, other) => other.lastUse - one.lastUse);
}

/** Finds the time of each tenant's last use of the version. */
export function toTenants(uses: readonly Use[]): ReadonlyMap<string, number> {
  const tenants = new Map<string, number>();
  for (const { tenant, lastUse } of uses) tenants.set(tenant, Math.max(tenants.get(tenant) ?? 0, lastUse));
  return tenants;
}

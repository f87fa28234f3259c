import { runLeaseKey } from "../../store/keys.ts";
import type { WorkDesk } from "./desk.ts";
import type { Run } from "./run.ts";

/**
 * The lease as the last heartbeat left it. It is kept beside the run: a heartbeat in the middle of a long step must not
 * change what that step has read. For the same reason this look at it binds the call to nothing.
 */
export async function findLease(desk: WorkDesk, tenant: string, run: Run): Promise<Run["lease"]> {
  const [renewed] = await desk.glance(runLeaseKey(tenant, desk.scope, run.run_id), 1);
  return typeof renewed?.value === "string" ? { ...run.lease, expires_at: renewed.value } : run.lease;
}

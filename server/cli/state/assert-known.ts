import { showPlace, type StatePlace, toLogName, toStoreKey } from "../../capabilities/state/data/place.ts";
import { CairnError } from "../../errors.ts";
import { loadAuditedTenants } from "../../kernel/audit/audited-tenants.ts";
import { LOCAL_PRINCIPAL } from "../../principal.ts";
import type { Store } from "../../store/store.ts";
import type { CliContext } from "../command.ts";
import { loadStateUses } from "./load-uses.ts";

/**
 * Refuses a state that holds nothing and that no version names, and one that holds nothing of a tenant without any record:
 * either is a slip of the pen. @throws NOT_FOUND
 */
export async function assertKnown(
  context: Pick<CliContext, "environment">,
  data: string,
  store: Store,
  place: StatePlace,
): Promise<void> {
  for await (const _ of store.scan({ prefix: toStoreKey(place), limit: 1 })) return;
  if ((await store.head(toLogName(place))) !== undefined) return;
  const { tenant, server, scope } = place;
  const isTenant = tenant === LOCAL_PRINCIPAL.tenant || (await loadAuditedTenants(store)).includes(tenant);
  const uses = isTenant ? await loadStateUses(context, data) : [];
  if (uses.some((use) => use.server === server && use.scope === scope)) return;
  const message = `There is no state \`${showPlace(place)}\` of \`${tenant}\`; \`cairn state list --tenant ${tenant}\` lists those that hold something.`;
  throw new CairnError("NOT_FOUND", message);
}

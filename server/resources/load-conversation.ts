import { type CallRecord, readCallRecord } from "../kernel/record.ts";
import { callKey, callsOfConversation } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

/** Calls of one conversation that one read shows. */
const CALLS_OF_CONVERSATION_LIMIT = 1000;

/** Loads the calls of a conversation with one version, the first one first; none where there is no such conversation. */
export async function loadConversation(
  store: Pick<Store, "get" | "getMany" | "scan">,
  { tenant, commit, id }: { readonly tenant: string; readonly commit: string; readonly id: string },
): Promise<readonly CallRecord[]> {
  const first = await store.get(callKey(tenant, commit, id));
  if (first === undefined) return [];
  const turns = { prefix: callsOfConversation(tenant, id), limit: CALLS_OF_CONVERSATION_LIMIT };
  // An index's key ends with the id of the call that it points to.
  const keys = await Array.fromAsync(store.scan(turns), ({ key }) => callKey(tenant, commit, String(key.at(-1))));
  const later = await store.getMany(keys);
  return [first, ...later].flatMap((entry) => (entry === undefined ? [] : [readCallRecord(entry.value)]));
}

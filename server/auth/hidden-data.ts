import { LOCAL_PRINCIPAL } from "../principal.ts";
import { sessionsOf, stateKey, tasksOf, tunedKey } from "../store/keys.ts";
import type { Key, Store } from "../store/store.ts";
import { listApiTokens } from "./api-tokens.ts";

/**
 * Finds a sentence on what callers without a token have stored and no API token leads to: the first token shuts them out,
 * and data of their tenant would seem lost. Undefined where there is none, or once a token of their tenant was made.
 */
export async function findHiddenData(store: Store): Promise<string | undefined> {
  const { tenant } = LOCAL_PRINCIPAL;
  const found: string[] = [];
  for (const [kind, key] of keysOf(tenant)) {
    const prefix = key.slice(0, KIND_AND_TENANT);
    for await (const _ of store.scan({ prefix, limit: 1 })) found.push(kind);
  }
  if (found.length === 0 || (await listApiTokens(store)).some((token) => token.tenant === tenant)) return undefined;
  const advice = `only tokens of this tenant see it (\`cairn token create --tenant ${tenant}\`)`;
  return `The tenant \`${tenant}\` has data of callers without a token, ${found.join(", ")}; ${advice}.`;
}

/** Elements at the start of a key: the kind of record, and whose it is. */
const KIND_AND_TENANT = 2;

/** Lists kinds of data that later calls read, each with a key of that kind. */
function keysOf(tenant: string): readonly (readonly [kind: string, key: Key])[] {
  return [
    ["state", stateKey(tenant, "", "", [])],
    ["sessions", sessionsOf(tenant, "")],
    ["tuning", tunedKey(tenant, "")],
    ["tasks", tasksOf(tenant, "")],
  ];
}

import type { TokenRecord } from "../../../auth/api-token.ts";
import { listApiTokens } from "../../../auth/api-tokens.ts";
import { AUDIT_READ, hasScope } from "../../../auth/scopes.ts";
import { defined } from "../../../json/defined.ts";
import type { Store } from "../../../store/store.ts";
import { toTime } from "../../../text/to-time.ts";
import { SIGNED_IN } from "../../create-route.ts";
import { toJsonDocument } from "../../document.ts";
import { assertParameters, readIntegerParameter } from "../query-parameters.ts";
import { type Operation, toLimitParameter } from "./operation.ts";

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1000;

/**
 * Creates the list of API tokens: the caller's own, and those of the whole tenant for readers of its audit log, which has their
 * making and revoking already. What would let somebody use or guess a token is never shown.
 */
export function createTokensOperation({ store }: { readonly store: Store }): Operation {
  return {
    path: "/tokens",
    id: "list_tokens",
    summary:
      "The caller's own API tokens, or with `audit:read` those of its tenant, the newest first; never their secrets",
    access: SIGNED_IN,
    query: { limit: toLimitParameter(DEFAULT_LIMIT, MAX_LIMIT) },
    schema: "tokens",
    async answer({ url }, caller) {
      assertParameters(url.searchParams, ["limit"]);
      const limit = readIntegerParameter(url.searchParams, "limit", DEFAULT_LIMIT, [1, MAX_LIMIT]);
      const seesAll = hasScope(caller, AUDIT_READ);
      const found = (await listApiTokens(store)).filter(
        ({ tenant, actor }) => tenant === caller.tenant && (seesAll || actor === caller.actor),
      );
      return {
        document: toJsonDocument({ tokens: found.slice(0, limit).map(toShown), truncated: found.length > limit }),
      };
    },
  };
}

function toShown({ id, name, actor, roles, scopes, createdAt, expiresAt, revokedAt }: TokenRecord) {
  return {
    id,
    name,
    actor,
    roles,
    scopes,
    created_at: toTime(createdAt),
    ...defined({
      expires_at: expiresAt === undefined ? undefined : toTime(expiresAt),
      revoked_at: revokedAt === undefined ? undefined : toTime(revokedAt),
    }),
  };
}

import type { TokenRecord } from "../../../auth/api-token.ts";
import { listApiTokens } from "../../../auth/api-tokens.ts";
import type { ToPrincipal } from "../../../auth/to-principal.ts";
import type { AuthConfig } from "../../../config/config-auth.ts";
import { ANY_TENANT, holdsAll, holdsByName, isSamePerson } from "../../../principal.ts";
import type { Store } from "../../../store/store.ts";
import type { Tool, Version } from "../../../versions/version.ts";

/** Approval that a run or a call may have to wait for. */
export interface ApprovalNeed {
  readonly version: Version;
  readonly tenant: string;
  readonly taskId: string;
  /** Actors who asked for it or do it, and therefore do not approve it. */
  readonly others: readonly string[];
  /** Role that its approver has by its name; absent for a run, which takes anybody who may use the tool. */
  readonly role?: string;
  /** Further roles of a call, each of which must approve it; absent: none. */
  readonly also?: readonly string[];
}

/** Says why nobody who is known to the service could give an approval; undefined where somebody could, or nobody can know. */
export type FindApprovalGap = (need: ApprovalNeed) => Promise<string | undefined>;

export interface ApprovalGapOptions {
  readonly config: AuthConfig;
  readonly store: Store;
  readonly toPrincipal: ToPrincipal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Milliseconds for which the list of tokens is kept: claims come often, and each reads it. */
const KEPT_MS = 1000;

/**
 * Creates the finder of gaps, by the policies of a version and the API tokens. Users of an authorization server are not known
 * here, so with one there is no gap. Somebody with the data folder can always decide, and the sentence says so.
 */
export function createFindApprovalGap({ config, store, toPrincipal, now }: ApprovalGapOptions): FindApprovalGap {
  let kept: { readonly at: number; readonly tokens: Promise<readonly TokenRecord[]> } | undefined;
  const listTokens = () => {
    const at = now();
    if (kept === undefined || at < kept.at || at - kept.at >= KEPT_MS) kept = { at, tokens: listApiTokens(store) };
    return kept.tokens;
  };

  async function findReason(need: ApprovalNeed): Promise<string | undefined> {
    const { version, tenant, others, role } = need;
    const deciders = [...version.tools.values()].filter(({ uses }) => uses.has("work.approve"));
    if (deciders.length === 0) return `version ${version.semver} has no tool for it`;
    if (config.oauth !== undefined) return undefined;
    const tokens = await listTokens();
    if (tokens.length === 0 && config.mode === "auto") {
      return role === undefined ? undefined : "callers here have no tokens, so their names prove nothing";
    }
    if (tokens.some((token) => isUsable(token) && deciders.some((tool) => mayDecide(token, tool, need))))
      return undefined;
    const who = role === undefined ? "who may use the tool for it" : `who is a \`${role}\` and may use the tool for it`;
    return `no valid API token of tenant \`${tenant}\` is somebody's ${who}, other than ${others.map((one) => `\`${one}\``).join(" and ")}`;
  }

  function isUsable({ revokedAt, expiresAt = Infinity }: TokenRecord): boolean {
    return revokedAt === undefined && expiresAt > now();
  }

  function mayDecide(token: TokenRecord, tool: Tool, { version, tenant, others, role }: ApprovalNeed): boolean {
    if (!token.scopes.includes("*") && !token.scopes.includes(tool.server)) return false;
    const { actor, roles } = token;
    const principal = toPrincipal(version, { tenant: token.tenant, actor, roles });
    if (!holdsAll(principal, tool.requiredCapabilities)) return false;
    if (role !== undefined) {
      return (
        token.tenant === tenant &&
        !others.some((one) => isSamePerson(one, token.actor)) &&
        principal.roles?.includes(role) === true
      );
    }
    if (token.tenant !== tenant) return holdsByName(principal, ANY_TENANT);
    const allowsSelf = version.policies.some(({ allowsSelfApproval }) => allowsSelfApproval === true);
    return allowsSelf || !others.some((one) => isSamePerson(one, token.actor));
  }

  return async (need) => {
    const needs = [need, ...(need.also ?? []).map((role) => ({ ...need, role }))];
    const reason = (await Promise.all(needs.map(findReason))).find((one) => one !== undefined);
    if (reason === undefined) return undefined;
    return `Nobody who calls this service could approve it: ${reason}. On the machine of the service, \`cairn work approve ${need.taskId}\` decides.`;
  };
}

import { isObject } from "../is-object.ts";
import { isTenant } from "../principal.ts";
import type { Caller } from "./caller.ts";
import { createInvalidToken } from "./verified.ts";

/** What an issuer says about a token, whichever way it said it. */
export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimRules {
  /** Name of the claim that says the tenant. */
  readonly tenantClaim: string;
  /** Every token of the issuer is this tenant's, whatever its claims say. */
  readonly tenant?: string;
  /** Name of the claim that lists roles; dots lead into objects (`realm_access.roles`) where no claim has the whole name. */
  readonly rolesClaim: string;
}

/** How many roles or scopes a token may have, and how long a name may be. */
const LIST_LIMIT = 200;
const NAME_LIMIT = 255;
// oxlint-disable-next-line no-control-regex -- what a log or a terminal could take for an order
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Whether `text` can be the name of an actor, a role or a scope. */
export function isName(text: unknown): text is string {
  return typeof text === "string" && text !== "" && text.length <= NAME_LIMIT && !CONTROL.test(text);
}

/** The caller that verified claims describe (RFC 9068 §2.2), or UNAUTHENTICATED with what they lack. */
export function toCaller(claims: Claims, rules: ClaimRules): Caller {
  const { scope, scp } = claims;
  return Object.freeze({
    tenant: readTenant(claims, rules),
    actor: readActor(claims),
    roles: Object.freeze(readList(findClaim(claims, rules.rolesClaim), rules.rolesClaim)),
    // Clients ask for scopes, and some issuers grant whatever is asked: `*` would be more than anyone consented to.
    scopes: new Set(readList(scope ?? scp, "scope").filter((name) => name !== "*")),
  });
}

function readTenant(claims: Claims, { tenantClaim, tenant }: ClaimRules): string {
  if (tenant !== undefined) return tenant;
  const value = findClaim(claims, tenantClaim);
  if (typeof value === "string" && isTenant(value)) return value;
  throw createInvalidToken(
    value === undefined
      ? `The token does not say whose it is: it has no claim \`${tenantClaim}\`.`
      : `The claim \`${tenantClaim}\` of the token is no name of a tenant.`,
  );
}

/**
 * The subject, and the client that acts for it. The client comes last and without spaces, so that no choice of a subject
 * looks like another pair. Of clients on their own, introspection may leave the subject out.
 */
function readActor({ sub: given, client_id, azp }: Claims): string {
  const client = client_id ?? azp;
  const sub = given ?? client;
  if (!isName(sub)) throw createInvalidToken("The token does not say who acts: it has no usable claim `sub`.");
  const subject = sub.replaceAll(" ", "%20");
  return isName(client) && client !== sub ? `${subject} via ${client.replaceAll(" ", "%20")}` : subject;
}

/** A list of names, or one text with spaces between them. */
function readList(value: unknown, claim: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const names: readonly unknown[] = typeof value === "string" ? value.split(" ").filter(Boolean) : [value].flat();
  if (names.length <= LIST_LIMIT && names.every(isName)) return names;
  throw createInvalidToken(`The claim \`${claim}\` of the token is no list of at most ${LIST_LIMIT} names.`);
}

function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const step of name.split(".")) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

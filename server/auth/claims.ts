import { isObject } from "../json/is-object.ts";
import { printable } from "../text/printable.ts";
import { isTenant } from "../principal.ts";
import type { Caller } from "./caller.ts";
import { createInvalidToken } from "./verified.ts";

/** Claims of an issuer about a token, in any of its forms. */
export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimRules {
  /** Name of the claim that says the tenant. */
  readonly tenantClaim: string;
  /** Every token of the issuer is this tenant's, whatever its claims say. */
  readonly tenant?: string;
  /** Name of the claim that lists roles; dots lead into objects (`realm_access.roles`) where no claim has the whole name. */
  readonly rolesClaim: string;
  /** The role that holds everything in every version; absent: none of the issuer's does. */
  readonly adminRole?: string;
}

/** Largest number of roles or scopes of a token. */
const LIST_LIMIT = 200;
const NAME_LIMIT = 255;

/**
 * Checks that `text` can name an actor, a role or a scope. Such a name has no character that a log or a terminal could
 * interpret, and no invisible one: two names that look alike would be two actors.
 */
export function isName(text: unknown): text is string {
  return typeof text === "string" && text !== "" && text.length <= NAME_LIMIT && printable(text) === text;
}

/** The caller that verified claims describe (RFC 9068 §2.2), or UNAUTHENTICATED with what they lack. */
export function toCaller(claims: Claims, rules: ClaimRules): Caller {
  const { scope, scp } = claims;
  return Object.freeze({
    tenant: readTenant(claims, rules),
    actor: readActor(claims),
    roles: Object.freeze(readRoles(claims, rules)),
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
 * looks like another pair. Of clients on their own, introspection may leave the subject out; `null` is not left out.
 */
function readActor({ sub: given, client_id, azp }: Claims): string {
  const client = client_id ?? azp;
  const sub = given === undefined ? client : given;
  if (!isName(sub)) throw createInvalidToken("The token does not say who acts: it has no usable claim `sub`.");
  const subject = withoutSpaces(sub);
  return isName(client) && client !== sub ? `${subject} via ${withoutSpaces(client)}` : subject;
}

/** Spaces as `%20`, and what was `%20` before as `%2520`, so that two texts stay two. All others stay as they are. */
function withoutSpaces(text: string): string {
  return text.replace(/%(?=(?:25)*20)/g, "%25").replaceAll(" ", "%20");
}

/** Only the role that the operator named stands for all: whoever may name roles at the issuer must not reach into every version. */
function readRoles(claims: Claims, { rolesClaim, adminRole }: ClaimRules): readonly string[] {
  const given = readList(findClaim(claims, rolesClaim), rolesClaim);
  const roles = given.filter((role) => role !== "*");
  return adminRole !== undefined && given.includes(adminRole) ? [...roles, "*"] : roles;
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

import {
  ANY_TENANT,
  ARCHITECT_CHAT,
  ARCHITECT_STATE,
  ARCHITECT_TUNE,
  holds,
  holdsByName,
  PREVIEW_CALL,
  type Principal,
} from "../principal.ts";
import { defined } from "../json/defined.ts";
import { covers } from "../versions/covers.ts";
import type { Policy, Revoked } from "../versions/policy.ts";
import { revokesCapability } from "../versions/revoked.ts";
import type { Version } from "../versions/version.ts";
import { ANONYMOUS, type Caller } from "./caller.ts";

/** Converts a caller to the principal of one version, by the policies that the version froze, less what is revoked. */
export type ToPrincipal = (version: Version, caller: Granted) => Principal;

/** Properties of a caller that decide about its rights. */
type Granted = Pick<Caller, "tenant" | "actor" | "roles" | "within"> & Partial<Pick<Caller, "scopes">>;

const EVERYTHING = "*";
/** Capabilities that policies may grant although no tool requires them by name. */
const SERVICE_CAPABILITIES: readonly string[] = [ARCHITECT_CHAT, ARCHITECT_TUNE, ARCHITECT_STATE];
/** Service capabilities that `*` does not include. */
const BY_NAME: readonly string[] = [ANY_TENANT, PREVIEW_CALL];

/**
 * Works out what callers hold once for each version and `Caller` object, and keeps it as long as both live, or until
 * something else is revoked. Principals that are in use meanwhile lose what is revoked, too: see `holds`.
 */
export function createToPrincipal(revoked: () => Revoked): ToPrincipal {
  let worked = { under: revoked(), versions: new WeakMap<Version, WeakMap<Granted, Principal>>() };

  const toPrincipal: ToPrincipal = (version, caller) => {
    const under = revoked();
    if (worked.under !== under) worked = { under, versions: new WeakMap() };
    let callers = worked.versions.get(version);
    if (callers === undefined) {
      callers = new WeakMap();
      worked.versions.set(version, callers);
    }
    let principal = callers.get(caller);
    if (principal === undefined) {
      principal = create(version, caller, under);
      callers.set(caller, principal);
    }
    return principal;
  };

  function create(version: Version, caller: Granted, under: Revoked): Principal {
    const { tenant, actor, roles, scopes, within } = caller;
    const held = toCapabilities(version, roles, under);
    const capabilities = within === undefined ? held : keepWithin(held, toCapabilities(version, [within], under));
    const isRevoked = (capability: string) => {
      if (revoked() === under) return revokesCapability(under, capability);
      const now = toPrincipal(version, caller);
      return !(BY_NAME.includes(capability) ? holdsByName(now, capability) : holds(now, capability));
    };
    const wanted = within === undefined ? roles : roles.filter((role) => role === within || role === ANONYMOUS);
    const kept = wanted.filter((role) => !under.roles.includes(role));
    return Object.freeze({ tenant, actor, capabilities, roles: kept, ...defined({ scopes }), isRevoked });
  }

  return toPrincipal;
}

/** Everything of a version that somebody may be granted and this principal holds now, to compare it with later. */
export function listHeld({ tools }: Version, principal: Principal): readonly string[] {
  const asked = [...tools.values()].flatMap(({ requiredCapabilities }) => requiredCapabilities);
  const all = [...new Set([...asked, ...SERVICE_CAPABILITIES])].filter((capability) => holds(principal, capability));
  return [...all, ...BY_NAME.filter((capability) => holdsByName(principal, capability))];
}

/**
 * Collects the capabilities of roles. Grants by prefix become the capabilities that the version's tools require, so that
 * a check is one look into a set. Of a version with a ceiling, the ceiling must grant each as well.
 */
function toCapabilities(
  { tools, policies, ceiling }: Version,
  roles: readonly string[],
  { roles: revokedRoles }: Revoked,
): ReadonlySet<string> {
  const kept = roles.filter((role) => !revokedRoles.includes(role));
  const lists = [policies, ...(ceiling === undefined ? [] : [ceiling.policies])];
  const granted = lists.map((all) => listGrants(all, kept));
  // What is not for everybody who may do everything is not for a version to grant that nobody has reviewed.
  const byName = (granted.at(-1) ?? []).filter((grant) => grant !== EVERYTHING);
  const named = BY_NAME.filter((capability) => byName.some((grant) => covers(grant, capability)));
  if (granted.every((grants) => grants.includes(EVERYTHING))) {
    const corrects = !roles.includes(ANONYMOUS) || lists.every((all) => grantsState(all, kept));
    return new Set([EVERYTHING, ...(corrects ? [ARCHITECT_STATE] : []), ...named]);
  }
  const asked = [...tools.values()].flatMap(({ requiredCapabilities }) => requiredCapabilities);
  const isGranted = (capability: string) =>
    !BY_NAME.includes(capability) && granted.every((grants) => grants.some((grant) => covers(grant, capability)));
  return new Set([...[...asked, ...SERVICE_CAPABILITIES].filter(isGranted), ...named]);
}

/** Keeps what is held and granted. Whoever holds everything does not hold by it what must be granted by name. */
function keepWithin(held: ReadonlySet<string>, granted: ReadonlySet<string>): ReadonlySet<string> {
  const isNamed = (capability: string) => BY_NAME.includes(capability) || capability === ARCHITECT_STATE;
  const has = (all: ReadonlySet<string>, capability: string) =>
    all.has(capability) || (all.has(EVERYTHING) && !isNamed(capability));
  return new Set([...held, ...granted].filter((capability) => has(held, capability) && has(granted, capability)));
}

function listGrants(policies: readonly Policy[], roles: readonly string[]): readonly string[] {
  return [...(roles.includes(EVERYTHING) ? [EVERYTHING] : []), ...listPolicyGrants(policies, roles)];
}

function listPolicyGrants(policies: readonly Policy[], roles: readonly string[]): readonly string[] {
  return roles.flatMap((role) => policies.flatMap((policy) => policy.roles.get(role) ?? []));
}

/**
 * Checks that policies let these roles correct the state of servers. Callers without a token need that in addition to the
 * role `*`: any process that reaches the port could otherwise give itself money by a sentence of feedback.
 */
function grantsState(policies: readonly Policy[], roles: readonly string[]): boolean {
  return listPolicyGrants(policies, roles).some((grant) => covers(grant, ARCHITECT_STATE));
}

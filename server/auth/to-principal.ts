import { ANY_TENANT, ARCHITECT_CHAT, ARCHITECT_STATE, ARCHITECT_TUNE, type Principal } from "../principal.ts";
import { covers } from "../versions/covers.ts";
import type { Policy } from "../versions/policy.ts";
import type { Version } from "../versions/version.ts";
import type { Caller } from "./caller.ts";

/** Who the caller is to one version, by the policies that the version froze. */
export type ToPrincipal = (version: Version, caller: Caller) => Principal;

const EVERYTHING = "*";
/** What policies may grant although no tool asks for it by name. */
const SERVICE_CAPABILITIES: readonly string[] = [ANY_TENANT, ARCHITECT_CHAT, ARCHITECT_TUNE, ARCHITECT_STATE];

/** Works out what callers hold once for each version and `Caller` object, and keeps it as long as both live. */
export function createToPrincipal(): ToPrincipal {
  const versions = new WeakMap<Version, WeakMap<Caller, Principal>>();
  return (version, caller) => {
    let callers = versions.get(version);
    if (callers === undefined) {
      callers = new WeakMap();
      versions.set(version, callers);
    }
    let principal = callers.get(caller);
    if (principal === undefined) {
      principal = toPrincipal(version, caller);
      callers.set(caller, principal);
    }
    return principal;
  };
}

/** The same, worked out anew. What a version grants that has a ceiling, the ceiling must grant as well. */
export function toPrincipal(
  version: Version,
  { tenant, actor, roles }: Pick<Caller, "tenant" | "actor" | "roles">,
): Principal {
  const { policies, ceiling } = version;
  const granted = [policies, ...(ceiling === undefined ? [] : [ceiling.policies])].map((all) => listGrants(all, roles));
  return Object.freeze({ tenant, actor, capabilities: toCapabilities(version, granted) });
}

function listGrants(policies: readonly Policy[], roles: readonly string[]): readonly string[] {
  return roles.flatMap((role) => [
    ...(role === EVERYTHING ? [EVERYTHING] : []),
    ...policies.flatMap((policy) => policy.roles.get(role) ?? []),
  ]);
}

/** Grants by prefix become the capabilities that the version's tools ask for, so that a check is one look into a set. */
function toCapabilities({ tools }: Version, granted: readonly (readonly string[])[]): ReadonlySet<string> {
  if (granted.every((grants) => grants.includes(EVERYTHING))) return new Set([EVERYTHING]);
  const asked = [...tools.values()].flatMap(({ requiredCapabilities }) => requiredCapabilities);
  const isGranted = (capability: string) =>
    granted.every((grants) => grants.some((grant) => covers(grant, capability)));
  return new Set([...asked, ...SERVICE_CAPABILITIES].filter(isGranted));
}

import { ANY_TENANT, ARCHITECT_CHAT, ARCHITECT_STATE, ARCHITECT_TUNE, type Principal } from "../principal.ts";
import { covers } from "../versions/covers.ts";
import type { Version } from "../versions/version.ts";
import { ANONYMOUS, type Caller } from "./caller.ts";

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

/** The same, worked out anew. */
export function toPrincipal(
  version: Version,
  { tenant, actor, roles }: Pick<Caller, "tenant" | "actor" | "roles">,
): Principal {
  const granted = roles.flatMap((role) => version.policies.flatMap((policy) => policy.roles.get(role) ?? []));
  const capabilities =
    roles.includes(EVERYTHING) || granted.includes(EVERYTHING)
      ? toAll(granted, roles.includes(ANONYMOUS))
      : toCapabilities(version, granted);
  return Object.freeze({ tenant, actor, capabilities });
}

/**
 * Everything. Correcting the state of servers is named besides, which callers without a token have to be granted by a policy:
 * whoever reached the port could otherwise give themselves money by a sentence of feedback.
 */
function toAll(granted: readonly string[], isAnonymous: boolean): ReadonlySet<string> {
  const corrects = !isAnonymous || granted.some((grant) => covers(grant, ARCHITECT_STATE));
  return new Set(corrects ? [EVERYTHING, ARCHITECT_STATE] : [EVERYTHING]);
}

/** Grants by prefix become the capabilities that the version's tools ask for, so that a check is one look into a set. */
function toCapabilities({ tools }: Version, grants: readonly string[]): ReadonlySet<string> {
  const asked = [...tools.values()].flatMap(({ requiredCapabilities }) => requiredCapabilities);
  return new Set(
    [...asked, ...SERVICE_CAPABILITIES].filter((capability) => grants.some((grant) => covers(grant, capability))),
  );
}

/** On whose behalf a call runs. The tenant comes from how the caller authenticated, never from anything it sent. */
export interface Principal {
  readonly tenant: string;
  readonly actor: string;
  /** Capabilities it was granted; `*` stands for all. */
  readonly capabilities: ReadonlySet<string>;
  /** Roles that are not revoked, for what must be held by the name of a role; absent: none. */
  readonly roles?: readonly string[];
  /** Scopes of its credentials, for what a token of one server must not reach; absent: none. */
  readonly scopes?: ReadonlySet<string>;
  /** Checks that a granted capability has been revoked; absent: none ever is. */
  readonly isRevoked?: (capability: string) => boolean;
}

/** Principal of every caller while no authentication is configured: one tenant that may do everything. */
export const LOCAL_PRINCIPAL: Principal = Object.freeze({
  tenant: "local",
  actor: "anonymous",
  capabilities: new Set(["*"]),
});

/**
 * Lets a worker take tasks of all tenants. It must be granted by this name: holding everything in one's own tenant is not
 * a reason to reach into others.
 */
export const ANY_TENANT = "work:any-tenant";

/** Lets a caller send the Architect feedback that may become a change of the repository. */
export const ARCHITECT_CHAT = "architect:chat";
/** Lets its feedback move what calls run with at once: promote, revert and reset tuning, and correct sessions. */
export const ARCHITECT_TUNE = "architect:tune";
/**
 * Lets its feedback correct the state of servers, which their tools would otherwise keep whole. It has to be held by this
 * name: `*` alone is what callers without a token have.
 */
export const ARCHITECT_STATE = "architect:state";

/** Lets a caller see what handlers throw, with its place in their code: messages may quote what only operators should see. */
export const LOGS_READ = "logs:read";

/**
 * Lets a caller try pull requests that nobody has approved. It must be granted by this name, by the default branch: who may
 * do everything with what was reviewed has not said that anything else may run for them.
 */
export const PREVIEW_CALL = "preview:call";

/** Whose audit log has what happens to the service itself. No token may be of it: names of tenants begin otherwise. */
export const SERVICE_TENANT = "@service";

/** Tenants are parts of keys and of names of logs. */
const TENANT = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;

/**
 * Checks that two actors are one person, as far as names can say. Names that differ in case or in the form of their letters are
 * one: otherwise who is known to the issuer as both `ann` and `Ann` would approve a call of their own.
 */
export function isSamePerson(one: string, other: string): boolean {
  const toFolded = (actor: string) => actor.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase();
  return toFolded(one) === toFolded(other);
}

export function isTenant(text: string): boolean {
  return TENANT.test(text);
}

/** As of now: also a call that goes on for long, or a stream, may do nothing any more that was revoked meanwhile. */
export function holds({ capabilities, isRevoked }: Principal, capability: string): boolean {
  return (capabilities.has("*") || capabilities.has(capability)) && isRevoked?.(capability) !== true;
}

/** Checks that the principal holds a capability that `*` does not include. */
export function holdsByName({ capabilities, isRevoked }: Principal, capability: string): boolean {
  return capabilities.has(capability) && isRevoked?.(capability) !== true;
}

export function holdsAll(principal: Principal, capabilities: readonly string[]): boolean {
  return capabilities.every((capability) => holds(principal, capability));
}

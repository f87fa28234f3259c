import { CairnError } from "../errors.ts";

/** Sender of a request, according to its credentials. Each version decides by its frozen policies what that allows. */
export interface Caller {
  readonly tenant: string;
  readonly actor: string;
  /** Names that versions' policies may grant capabilities to; `*` holds everything in every version. */
  readonly roles: readonly string[];
  /** Role that it wants no more than: it has what both this and its roles grant. Absent: all that its roles grant. */
  readonly within?: string;
  /** Scopes of the credentials: names of MCP servers and of parts of the service; `*` stands for all. */
  readonly scopes: ReadonlySet<string>;
}

/** The role of everybody who needs no token. Policies may grant it what the role `*` gives with a token alone. */
export const ANONYMOUS = "anonymous";

/** Caller of a service without authentication: one tenant that may do everything except what needs an explicit grant. */
export const LOCAL_CALLER: Caller = Object.freeze({
  tenant: "local",
  actor: "anonymous",
  roles: ["*", ANONYMOUS],
  scopes: new Set(["*"]),
});

/** Names of persons on a machine: part of records, and never `anonymous`, who gives none. */
const PERSON = /^(?!anonymous$)[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/**
 * Creates the caller of a service without authentication who goes by a name: another than the next one, so that one may approve
 * what the other has done. All that keeps them apart is that they say so. Rejects with BAD_REQUEST for a text that is no name.
 */
export async function toLocalPerson(person: string): Promise<Caller> {
  if (PERSON.test(person)) return Object.freeze<Caller>({ ...LOCAL_CALLER, actor: person });
  const rule = "1 to 64 letters, digits, `.`, `_`, `@` and `-`, and not `anonymous`";
  throw new CairnError("BAD_REQUEST", `The header \`Cairn-Person\` must be a name: ${rule}.`);
}

/** Parts of a request that identify the sender, and the address that it is meant for. */
export interface Credentials {
  readonly authorization: string | undefined;
  /** Path of the address, without query: a token is only good for the resource that it was issued for. */
  readonly path: string;
  /** IP address of the client; behind a proxy that is not trusted, the proxy's. */
  readonly address?: string | undefined;
  /** Name that the sender goes by, from the header `Cairn-Person`: it counts only where nobody needs a token. */
  readonly person?: string | undefined;
}

/** Rejects with UNAUTHENTICATED, or UNAVAILABLE where what it must ask cannot be reached. */
export type Authenticate = (credentials: Credentials) => Caller | Promise<Caller>;

/** Finds the caller of a request, as one who wants no more than a role grants; without a role, as it is. */
type AuthenticateWithin = (credentials: Credentials, role: string | undefined) => Caller | Promise<Caller>;

const ROLE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Roles that are kept for one caller: addresses with made-up ones must not fill the memory. */
const KEPT = 16;

/**
 * Creates what authenticates for addresses that name a role. What comes back is one object for each caller and role, because
 * its rights are worked out once for each. It rejects with BAD_REQUEST for a text that is no name of a role.
 */
export function createAuthenticateWithin(authenticate: Authenticate): AuthenticateWithin {
  const known = new WeakMap<Caller, Map<string, Caller>>();

  function toNarrow(caller: Caller, role: string): Caller {
    const of = known.get(caller) ?? new Map<string, Caller>();
    const narrow = of.get(role) ?? Object.freeze<Caller>({ ...caller, within: role });
    if (of.size >= KEPT) of.clear();
    known.set(caller, of.set(role, narrow));
    return narrow;
  }

  return (credentials, role) => {
    const who = authenticate(credentials);
    if (role === undefined) return who;
    if (!ROLE.test(role)) {
      throw new CairnError(
        "BAD_REQUEST",
        "`role` of the address must be the name of a role of the version's policies.",
      );
    }
    return who instanceof Promise ? who.then((caller) => toNarrow(caller, role)) : toNarrow(who, role);
  };
}

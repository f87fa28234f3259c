import { CairnError } from "../errors.ts";
import type { Authenticate, Caller, Credentials } from "./caller.ts";

/** Finds the caller of a request, as one who wants no more than a role grants; without a role, as it is. */
export type AuthenticateWithin = (credentials: Credentials, role: string | undefined) => Caller | Promise<Caller>;

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

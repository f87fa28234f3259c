import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import { CairnError } from "../errors.ts";
import { isWithin } from "./audience.ts";
import type { Authenticate, Caller } from "./caller.ts";
import { createInvalidToken, type Verified, type Verify } from "./verified.ts";

export interface AuthenticateOptions {
  readonly verify: Verify;
  /** Milliseconds of a clock that never goes back, so that turning the wall clock back prolongs nothing. */
  readonly uptime: () => number;
}

interface Known {
  readonly verified: Verified;
  /** By `uptime`. */
  readonly until: number;
}

/** Tokens in use that are kept ready. */
const KNOWN_LIMIT = 10_000;
/** Characters of a token. What is longer is nobody's, and would only be work. */
const TOKEN_LIMIT = 8_192;

/**
 * Authenticates requests by Bearer token (RFC 6750). A known token costs a hash and a look-up: it is verified again only
 * when its time is up, once for all waiting requests. Tokens are kept as hashes, so that a memory dump does not reveal
 * them.
 */
export function createAuthenticate({ verify, uptime }: AuthenticateOptions): Authenticate {
  const known = new LRUCache<string, Known>({ max: KNOWN_LIMIT });
  const pending = new Map<string, Promise<Verified>>();

  return ({ authorization, path, address }) => {
    const token = readBearer(authorization);
    const name = hash("sha256", token, "base64");
    const found = known.get(name);
    if (found !== undefined && uptime() < found.until) return admit(found.verified, path);
    return look(name, token, address).then((verified) => admit(verified, path));
  };

  function look(name: string, token: string, address: string | undefined): Promise<Verified> {
    const waiting = pending.get(name);
    if (waiting !== undefined) return waiting;
    const start = uptime();
    const looking = verify(token, address)
      .then(({ caller, paths, ttl }) => {
        // The same object as long as it says the same: others keep by it what they worked out about the caller.
        const before = known.get(name)?.verified.caller;
        const verified = { caller: isDeepStrictEqual(before, caller) && before ? before : caller, paths, ttl };
        known.set(name, { verified, until: start + ttl });
        return verified;
      })
      .catch((error: unknown) => {
        known.delete(name);
        throw error;
      })
      .finally(() => pending.delete(name));
    pending.set(name, looking);
    return looking;
  }
}

function admit({ caller, paths }: Verified, path: string): Caller {
  if (isWithin(path, paths)) return caller;
  throw createInvalidToken("The token was issued for another address of this service.");
}

/** The token of the header; UNAUTHENTICATED when there is none. */
function readBearer(authorization: string | undefined): string {
  if (authorization === undefined || !/^bearer\b/i.test(authorization)) {
    throw new CairnError(
      "UNAUTHENTICATED",
      "This address needs a token, in the header `Authorization` as `Bearer <token>`.",
    );
  }
  const [, token] = (authorization.length < TOKEN_LIMIT && BEARER.exec(authorization)) || [];
  if (token === undefined) throw createInvalidToken("What follows `Bearer` is no token.");
  return token;
}

/** RFC 6750 §2.1: b64token. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
